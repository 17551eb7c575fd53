import { expect, test } from "vitest";
import { describe } from "../../src/graph/describe.ts";
import { add, multiply, relu, square } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { input, variable } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { sum } from "../../src/graph/reduce.ts";
import { filled } from "../../src/tensor/tensor.ts";

const x = input("x", ["n", 2]);
const W = variable("W", filled("float32", [2, 3], 0));

test("a formula is written line by line, each shared part once", () => {
  const code = relu(matmul(x, W));
  expect(describe(sum(add(code, multiply(code, 0.5)), { axes: [1] }))).toBe(
    `a = matmul(x, W) [n,3]
b = relu(a) [n,3]
c = multiply(b, 0.5) [n,3]
d = add(b, c) [n,3]
e = sum(d, axes [1]) [n]`,
  );
});

test("a gradient is a formula like any other", () => {
  const [dW] = gradient(sum(square(matmul(x, W))), [W]);
  expect(describe(dW!)).toBe(
    `a = reshape(1, shape [1,1]) [1,1]
b = broadcast(a, shape [n,3]) [n,3]
c = multiply(b, 2) [n,3]
d = matmul(x, W) [n,3]
e = multiply(c, d) [n,3]
f = matmul(x, e, transposeA) [2,3]`,
  );
});

test("letters go on after z", () => {
  let node = add(x, 1);
  for (let i = 0; i < 27; i++) node = add(node, 1);
  expect(describe(node).split("\n").slice(-3)).toEqual([
    "z = add(y, 1) [n,2]",
    "aa = add(z, 1) [n,2]",
    "ab = add(aa, 1) [n,2]",
  ]);
});
