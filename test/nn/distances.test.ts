import { describe, expect, test } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { oneHot } from "../../src/graph/arrange.ts";
import { multiply } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import { argmin, sum } from "../../src/graph/reduce.ts";
import {
  cityBlockDistances,
  correlationDistances,
  cosineDistances,
  nearest,
  squaredDistances,
  unitRows,
} from "../../src/nn/distances.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor, toNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { matrix, numbers } from "../support/matrix.ts";
import type { Value } from "../support/oracle.ts";

const distances = { squaredDistances, cosineDistances, correlationDistances, cityBlockDistances };
const device = await findDevice(devices, "cpu");

describe("by hand,", () => {
  // Two codes and three centers.
  const z = matrix([3, 4, 0], [1, 2, 3]);
  const centers = matrix([0, 0, 2], [4, 3, 0], [-1, -2, -3]);

  test("squaredDistances are sums of squared differences", () => {
    expectClose(numbers(squaredDistances(z, centers)), [29, 2, 61, 6, 19, 56], 1e-12);
  });

  test("squaredDistances keep their digits far from the origin, in float32", async () => {
    const far = (...rows: number[][]) => matrix(...rows.map((row) => row.map((value) => value + 5000)));
    const outputs = { d: squaredDistances(far([3, 4, 0], [1, 2, 3]), far([0, 0, 2], [4, 3, 0], [-1, -2, -3])) };
    const { d } = await (await Session.open(program({ outputs }), device)).run();
    expectClose(toNumbers(d!), [29, 2, 61, 6, 19, 56], 1e-3);
  });

  test("cosineDistances are 1 − cosine, from 0 to 2", () => {
    // Lengths 5 and √14; 2, 5 and √14.
    const root = Math.sqrt(14);
    const expected = [1, 1 - 24 / 25, 1 + 11 / (5 * root), 1 - 6 / (2 * root), 1 - 10 / (5 * root), 2];
    expectClose(numbers(cosineDistances(z, centers)), expected, 1e-12);
  });

  test("correlationDistances are 1 − correlation", () => {
    // Less their means, (2, 5, −7)/3 and (−1, 0, 1); (−2, −2, 4)/3, (5, 2, −7)/3 and (1, 0, −1).
    const [a, b] = [Math.sqrt(78), Math.SQRT2];
    const [c, d] = [Math.sqrt(24), Math.sqrt(78)];
    const expected = [1 + 42 / (a * c), 1 - 69 / (a * d), 1 - 9 / (a * b), 1 - 6 / (b * c), 1 + 12 / (b * d), 2];
    expectClose(numbers(correlationDistances(z, centers)), expected, 1e-12);
  });

  test("cityBlockDistances are sums of absolute differences", () => {
    expect(numbers(cityBlockDistances(z, centers))).toEqual([9, 2, 13, 4, 7, 12]);
  });

  test("unitRows have length 1, and a row of zeros stays one", () => {
    expectClose(numbers(unitRows(matrix([3, 4], [0, -7], [0, 0]))), [0.6, 0.8, 0, -1, 0, 0], 1e-12);
  });
});

test("correlation is cosine where each row's mean is 0, and does not change with what is added to a row", () => {
  const [z, centers] = [matrix([1, -3, 2], [4, 0, -4]), matrix([2, 2, -4], [0, 1, -1])];
  expectClose(numbers(correlationDistances(z, centers)), numbers(cosineDistances(z, centers)), 1e-12);
  const shifted = matrix([11, 7, 12], [-1, -5, -9]);
  expectClose(numbers(correlationDistances(shifted, centers)), numbers(correlationDistances(z, centers)), 1e-12);
});

test.each(Object.entries(distances))(
  "%s have gradients that differences confirm, for codes and centers",
  (_name, of) => {
    const [n, k, d] = [4, 3, 5];
    const [z, centers] = [input("z", [n, d]), input("centers", [k, d])];
    const random = Random.seeded(3);
    const value = (rows: number): Value => ({ shape: [rows, d], data: Float64Array.from(random.normals(rows * d)) });
    // Weights, so that no two elements are interchangeable.
    const weights = constant(tensor("float32", [n, k], random.uniforms(n * k, 0.5, 2)));
    const loss = sum(multiply(of(z, centers), weights));
    expectGradients(loss, [z, centers], new Map<Node, Value>([[z, value(n)]]).set(centers, value(k)), n);
  },
);

test("squaredDistances are never negative, and a code at its center has no gradient, in float32 as well", async () => {
  const [n, d] = [50, 3];
  const rows = tensor("float32", [n, d], Random.seeded(1).uniforms(n * d, 1000, 2000));
  const [z, centers] = [input("z", [n, d]), input("centers", [n, d])];
  const squared = squaredDistances(z, centers);
  const own = multiply(squared, constant(fromNumbers("float32", [n, n], identity(n))));
  const session = await Session.open(program({ outputs: { own, slope: gradient(sum(own), [z])[0]! } }), device);
  const outputs = await session.run({ z: rows, centers: rows });
  // Rounding alone would give some units of the last digit of ‖z‖², of either sign.
  expect(Math.min(...toNumbers(outputs.own!))).toBe(0);
  expect(Math.max(...toNumbers(outputs.own!))).toBeLessThan(10);
  expect(toNumbers(outputs.slope!).every((slope) => slope === 0)).toBe(true);
  await session.close();
});

function identity(n: number): number[] {
  return Array.from({ length: n * n }, (_, at) => Number(at % (n + 1) === 0));
}

describe("nearest", () => {
  test("is 1 for the smallest, of equals for the first", () => {
    const rows = matrix([3, 1, 2], [5, 5, 5], [2, 1, 1], [0, 0, 1], [-1, -4, -4]);
    expect(numbers(nearest(rows))).toEqual([0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0]);
  });

  test("passes no gradient on", () => {
    const rows = matrix([3, 1, 2]);
    expect(numbers(gradient(sum(nearest(rows)), [rows])[0]!)).toEqual([0, 0, 0]);
  });

  test.each([1, 2, 10, 1000])("is oneHot(argmin) on a device, with many ties among %d centers", async (k) => {
    const rows = input("rows", ["n", k]);
    const outputs = { nearest: nearest(rows), expected: oneHot(argmin(rows), k) };
    const session = await Session.open(program({ outputs }), device);
    const random = Random.seeded(k);
    // Whole numbers from −3 to 3 tie often; others almost never.
    const whole = Float32Array.from({ length: 200 * k }, () => random.below(7) - 3);
    for (const data of [whole, random.normals(200 * k), whole.map((value) => value * 1e30)]) {
      const values = await session.run({ rows: tensor("float32", [200, k], data) });
      expect(toNumbers(values.nearest!)).toEqual(toNumbers(values.expected!));
    }
    await session.close();
  });
});
