import { describe, expect, test } from "vitest";
import * as arrange from "../../src/graph/arrange.ts";
import { add, exp, greater, less, multiply, where } from "../../src/graph/elementwise.ts";
import { input, reachable } from "../../src/graph/node.ts";
import { conv2d, convTranspose2d, matmul, maxPool2d, upsample2d } from "../../src/graph/products.ts";
import { argmax, mean, softmax, sum } from "../../src/graph/reduce.ts";
import type { Shape } from "../../src/graph/size.ts";

const { reshape, broadcast, transpose, slice, concatenate, pad, gatherRows, oneHot, flatten } = arrange;
const x = (...shape: Shape) => input("x", shape);
const y = (...shape: Shape) => input("y", shape);
const yes = greater(x("n"), 0);
const whole = input("index", ["n"], "int64");

describe("shapes are known when the formula is written", () => {
  test.each([
    ["[n,10]", matmul(x("n", 500), y(500, 10))],
    ["[500,500]", matmul(x("n", 500), y("n", 500), { transposeA: true })],
    ["[n,4,2,3]", matmul(x("n", 4, 2, 5), y(5, 3))],
    ["[n,784]", flatten(x("n", 16, 7, 7))],
    ["[49n,16]", reshape(x("n", 7, 7, 16), [-1, 16])],
    ["[n,7,7,16]", reshape(reshape(x("n", 7, 7, 16), [-1, 16]), ["n", 7, 7, -1])],
    ["[n,32,14,14]", conv2d(x("n", 16, 28, 28), y(32, 16, 3, 3), { stride: 2, padding: 1 })],
    ["[n,16,28,28]", convTranspose2d(x("n", 32, 14, 14), y(32, 16, 3, 3), { stride: 2, padding: 1, outputPadding: 1 })],
    ["[n,2,3,3]", maxPool2d(x("n", 2, 7, 6), 2)],
    ["[n,2,9,6]", upsample2d(x("n", 2, 3, 2), 3)],
    ["[n,4]", add(x("n", 1), y(4))],
    ["[1,3]", sum(x("n", 3), { axes: [0], keep: true })],
    ["[]", mean(x("n", 3))],
    ["[n]", argmax(x("n", 3))],
    ["[n,7]", oneHot(whole, 7)],
    ["[n,3]", gatherRows(x(100, 3), whole)],
    ["[3,n,2]", transpose(x("n", 2, 3), [2, 0, 1])],
    ["[n,5]", concatenate([x("n", 2), y("n", 3)], 1)],
    ["[n,2]", slice(x("n", 5), 1, -2)],
    ["[n,6]", pad(x("n", 3), [0, 1], [0, 2])],
  ])("%s", (expected, node) => {
    expect(`[${node.shape}]`).toBe(expected);
  });
});

describe("mistakes are errors when the formula is written", () => {
  test.each([
    ["matmul: inner sizes differ, got [256,500] and [400,10]", () => matmul(x(256, 500), y(400, 10))],
    [
      "matmul: inner sizes differ, got [n,500]ᵀ and [400,10]",
      () => matmul(x("n", 500), y(400, 10), { transposeA: true }),
    ],
    ["matmul: needs two axes or more, got [3] and [3,2]", () => matmul(x(3), y(3, 2))],
    ["matmul: shapes do not broadcast, got [2] and [3]", () => matmul(x(2, 4, 5), y(3, 5, 4))],
    ["matmul: types differ, got float32 and float64", () => matmul(x(2, 2), input("y", [2, 2], "float64"))],
    ["add: shapes do not broadcast, got [n,3] and [n,4]", () => add(x("n", 3), y("n", 4))],
    ["add: shapes do not broadcast, got [n] and [256]", () => add(x("n"), y(256))],
    ["multiply: types differ, got float32 and int64", () => multiply(x("n"), whole)],
    ["exp: needs float32 or float64, got int64", () => exp(whole)],
    ["where: the condition must be bool, got float32", () => where(x(2), 1, 2)],
    ["reshape: [n,6] has 6n elements, [n,5] has 5n", () => reshape(x("n", 6), ["n", 5])],
    ["reshape: [n,6] does not divide into [-1,4]", () => reshape(x("n", 6), [-1, 4])],
    ["reshape: only one size may be -1, got [-1,-1]", () => reshape(x("n", 6), [-1, -1])],
    ["broadcast: [n,2] does not stretch to [2]", () => broadcast(x("n", 2), [2])],
    ["transpose: axes must differ, got [0,0]", () => transpose(x(2, 3), [0, 0])],
    ["transpose: needs each axis of [2,3] once, got [1]", () => transpose(x(2, 3), [1])],
    ["slice: needs 0 ≤ start < end ≤ 3 on axis 1 of [n,3], got 1 to 5", () => slice(x("n", 3), 1, 1, 5)],
    ["slice: axis 0 of [n,3] depends on n and has no fixed positions", () => slice(x("n", 3), 0, 0, 1)],
    ["concatenate: shapes differ outside axis 1, got [n,2] and [3,2]", () => concatenate([x("n", 2), y(3, 2)], 1)],
    ["concatenate: axis 0 of [n] depends on n and cannot be joined", () => concatenate([x("n"), y("n")], 0)],
    ["concatenate: needs at least one node, got none", () => concatenate([], 0)],
    ["pad: axis 0 of [n,3] depends on n and cannot be padded", () => pad(x("n", 3), [1, 0], [0, 0])],
    [
      "pad: needs a whole number from 0 for each axis of [n,3], got [0,-1] and [0,0]",
      () => pad(x("n", 3), [0, -1], [0, 0]),
    ],
    ["gatherRows: the index must be int32 or int64, got float32", () => gatherRows(x(3, 2), y("n"))],
    ["oneHot: the depth must be a whole number from 1, got 0", () => oneHot(whole, 0)],
    ["sum: axis must be from -2 to 1, got 2", () => sum(x("n", 3), { axes: [2] })],
    ["softmax: axis must be from -1 to 0, got 1", () => softmax(x(3), 1)],
    ["conv2d: channels differ, got [n,3,8,8] and weights [4,1,3,3]", () => conv2d(x("n", 3, 8, 8), y(4, 1, 3, 3))],
    ["conv2d: the window [5,5] is larger than [3,3] with padding 0", () => conv2d(x("n", 1, 3, 3), y(4, 1, 5, 5))],
    ["conv2d: needs an image [n,channels,height,width], got [n,784]", () => conv2d(x("n", 784), y(4, 1, 3, 3))],
    [
      "conv2d: the stride must be a whole number from 1, got 0",
      () => conv2d(x("n", 1, 3, 3), y(4, 1, 3, 3), { stride: 0 }),
    ],
    [
      "conv2d: the padding must be a whole number from 0, got -1",
      () => conv2d(x("n", 1, 3, 3), y(4, 1, 3, 3), { padding: -1 }),
    ],
    [
      "convTranspose2d: channels differ, got [n,3,8,8] and weights [4,1,3,3]",
      () => convTranspose2d(x("n", 3, 8, 8), y(4, 1, 3, 3)),
    ],
    [
      "convTranspose2d: output padding must be from 0 to below the stride 2, got 2,2",
      () => convTranspose2d(x("n", 4, 8, 8), y(4, 1, 3, 3), { stride: 2, outputPadding: 2 }),
    ],
    [
      "convTranspose2d: padding 2 leaves nothing of [1,1] under the window [3,3]",
      () => convTranspose2d(x("n", 4, 1, 1), y(4, 1, 3, 3), { padding: 2 }),
    ],
    ["maxPool2d: the factor must be a whole number that fits [n,1,3,3], got 4", () => maxPool2d(x("n", 1, 3, 3), 4)],
    ["upsample2d: the factor must be a whole number from 1, got 0.5", () => upsample2d(x("n", 1, 3, 3), 0.5)],
    [
      "shape: only one size may depend on n, got [n,n]",
      () => reshape(matmul(x("n", 2), y("n", 2), { transposeB: true }), [-1]),
    ],
    ["input: the sizes of x must be whole numbers from 0 or n, got [2n]", () => x("2n")],
    ["input: the sizes of x must be whole numbers from 0 or n, got [n,-3]", () => x("n", -3)],
    ["input: the sizes of x must be whole numbers from 0 or n, got [2.5]", () => x(2.5)],
    ["input: u is drawn as float32, not as float64", () => input("u", ["n"], "float64", "uniform")],
    ["add: needs numbers, got bool", () => add(yes, yes)],
    ["less: needs numbers, got bool", () => less(yes, yes)],
    ["multiply: a number beside int64 must be whole, got 0.5", () => multiply(whole, 0.5)],
    [
      "reshape: sizes must be whole numbers from 0, multiples of n or one -1, got [1.5,4]",
      () => reshape(x(6), [1.5, 4]),
    ],
    [
      "conv2d: weights need four axes that do not depend on n, got [2,1,n,3]",
      () => conv2d(x("n", 1, 5, 5), y(2, 1, "n", 3)),
    ],
    ["conv2d: the bias must be [4], got [3]", () => conv2d(x("n", 1, 5, 5), y(4, 1, 3, 3), { bias: input("b", [3]) })],
  ])("%s", (message, write) => {
    expect(write).toThrow(message);
  });
});

test("a graph of a hundred thousand nodes is walked without a deep stack", () => {
  const node = x(2);
  let value = add(node, 1);
  for (let i = 0; i < 100_000; i++) value = add(value, node);
  expect(reachable([value])).toHaveLength(100_003);
});
