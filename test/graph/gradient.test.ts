import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { broadcast, concatenate, pad, slice } from "../../src/graph/arrange.ts";
import * as ops from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, reachable } from "../../src/graph/node.ts";
import { conv2d, convTranspose2d, matmul } from "../../src/graph/products.ts";
import { argmax, max, mean, sum } from "../../src/graph/reduce.ts";
import { type Shape, show } from "../../src/graph/size.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { expectGradients } from "../support/differences.ts";
import { constantResults, differentiable, type Example, pose } from "../support/examples.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const { add, multiply, stopGradient, square } = ops;

describe.each(Object.entries(differentiable))("the gradient of %s agrees with finite differences", (_op, cases) => {
  for (const example of cases as Example[]) {
    for (const n of example.shapes.some((shape) => shape.includes("n")) ? [3, 1] : [1]) {
      test(`for ${example.shapes.map(show).join(" and ")}, n = ${n}`, () => {
        const { nodes, values, result } = pose(example, n);
        expectGradients(weighed(result), nodes, values, n, { most: 60 });
      });
    }
  }
});

// maxPool2dGradient refuses to be differentiated and size scales its own examples: they have tests of their own below.
const { maxPool2dGradient: refused, size: scaling, ...silent } = constantResults;

test.each(Object.entries(silent))("no gradient flows through %s: it is zero for every input", (_op, cases) => {
  for (const example of cases as Example[]) {
    const { nodes, values, result, n } = pose(example, 2);
    const gradients = gradient(weighed(ops.cast(result, "float32")), nodes);
    for (const { data } of evaluate(gradients, values, n)) expect([...data].every((v) => v === 0)).toBe(true);
  }
});

test("a size scales a gradient like any other number, and has none itself", () => {
  for (const example of scaling) {
    const { nodes, values, result, n } = pose(example, 2);
    expectGradients(weighed(result), nodes, values, n);
  }
});

test("stopGradient cuts one path and leaves the other", () => {
  // y = x·stop(x): dy/dx = stop(x) = x, not 2x
  const x = input("x", [2]);
  const [dx] = gradient(sum(multiply(x, stopGradient(x))), [x]);
  const [value] = evaluate([dx!], new Map([[x as Node, { shape: [2], data: Float64Array.of(3, -5) }]]), 1);
  expect([...value!.data]).toEqual([3, -5]);
});

test("a second derivative through maxPool2d is refused", () => {
  const [example] = refused;
  const { nodes, result } = pose(example!, 1);
  expect(() => gradient(sum(result), nodes)).toThrow(
    "gradient: a second derivative through maxPool2d is not defined here",
  );
});

test("a gradient can be differentiated again: the second derivative of x³ is 6x", () => {
  const x = input("x", []);
  const [first] = gradient(ops.power(x, 3), [x]);
  const [second] = gradient(first!, [x]);
  const [value] = evaluate([second!], new Map([[x as Node, { shape: [], data: Float64Array.of(2) }]]), 1);
  expect(value!.data[0]).toBeCloseTo(12, 12);
});

describe("powers of zero have slopes that are numbers", () => {
  const [a, b] = [input("a", []), input("b", [])];
  const slopes = (base: number, exponent: number, y = ops.power(a, b)): number[] => {
    const at = (value: number) => ({ shape: [], data: Float64Array.of(value) });
    const leaves = new Map<Node, Value>([
      [a, at(base)],
      [b, at(exponent)],
    ]);
    return evaluate(gradient(y, [a, b]), leaves, 1).map(({ data }) => data[0]!);
  };

  test.each([
    // da = b·aᵇ⁻¹, db = aᵇ·ln a
    ["3⁰: a⁰ is 1 for every a, slope 0 in a, ln 3 in b", 3, 0, [0, Math.log(3)]],
    ["0⁰: slope 0 in a, and 0 in b as for every b > 0", 0, 0, [0, 0]],
    ["0¹: slope 1 in a, and 0ᵇ is 0 for every b > 0", 0, 1, [1, 0]],
    ["0²: slope 0 in both", 0, 2, [0, 0]],
    ["√0: vertical in a, flat in b", 0, 0.5, [Number.POSITIVE_INFINITY, 0]],
    ["2³: as everywhere else, 3·2² and 8·ln 2", 2, 3, [12, 8 * Math.log(2)]],
  ])("%s", (_title, base, exponent, expected) => {
    expect(slopes(base, exponent)).toEqual(expected);
  });

  test("with an exponent that is a number", () => {
    expect([0, 1, 2].map((exponent) => slopes(0, 0, ops.power(a, exponent))[0])).toEqual([0, 1, 0]);
  });

  test("in every derivative: x² at 0 has slopes 0, 2, 0, 0", () => {
    const leaves = new Map<Node, Value>([[a, { shape: [], data: Float64Array.of(0) }]]);
    let y = ops.power(a, 2);
    const derivatives = [1, 2, 3, 4].map(() => {
      [y] = gradient(y, [a]) as [Node];
      return evaluate([y], leaves, 1)[0]!.data[0];
    });
    expect(derivatives).toEqual([0, 2, 0, 0]);
  });

  test("and a constant exponent or base without zeros costs nothing more", () => {
    const operations = (y: Node) => reachable(gradient(y, [a])).map(({ op }) => op);
    expect(operations(ops.power(a, 0.5))).not.toContain("where");
    expect(operations(ops.power(2, a))).not.toContain("where");
    expect(operations(ops.power(a, b))).toContain("where");
  });
});

test("a target may be a stretched node, the result of one, the loss itself, or named twice", () => {
  const x = input("x", [3]);
  const leaves = new Map([[x as Node, { shape: [3], data: Float64Array.of(1, 2, 3) }]]);
  const at = (node: Node) => [...evaluate([node], leaves, 1)[0]!.data];
  const rows = broadcast(x, [2, 3]);
  expect(at(gradient(sum(square(rows)), [rows])[0]!)).toEqual([2, 4, 6, 2, 4, 6]);
  const grown = ops.exp(rows);
  expect(at(gradient(sum(square(grown)), [grown])[0]!)).toEqual(at(multiply(grown, 2)));
  const loss = sum(x);
  expect(at(gradient(loss, [loss])[0]!)).toEqual([1]);
  const [first, second] = gradient(loss, [x, x]);
  expect(at(first!)).toEqual(at(second!));
});

test("means over two axes that depend on n", () => {
  const x = input("x", ["n", 2]);
  const products = matmul(x, x, { transposeB: true });
  const leaves = new Map([[x as Node, { shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) }]]);
  // x·xᵀ = [[5,11],[11,25]]
  expect(evaluate([mean(products)], leaves, 2)[0]!.data[0]).toBe(13);
  expectGradients(mean(square(products)), [x], leaves, 2);
});

test("what the loss does not depend on has gradient zero", () => {
  const x = input("x", [3]);
  const [dx] = gradient(constant(1), [x]);
  expect(dx!.shape).toEqual([3]);
  expect([...evaluate([dx!], new Map(), 1)[0]!.data]).toEqual([0, 0, 0]);
});

test("the loss must be a float scalar", () => {
  const x = input("x", ["n", 2]);
  expect(() => gradient(x, [x])).toThrow("gradient: the loss must be a float scalar, got float32 [n,2]");
  expect(() => gradient(argmax(input("v", [3])), [x])).toThrow("got int64 []");
});

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });

test("gradients of broadcast operations agree for any shapes", () => {
  // A shape, and the same with some axes cut off in front and some set to 1.
  const shapes = fc.tuple(sizes, fc.nat(3), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }));
  const apply = fc.constantFrom(add, ops.subtract, multiply, ops.divide, ops.maximum, ops.power);
  fc.assert(
    fc.property(shapes, apply, fc.boolean(), ([shape, cut, ones], op, swap) => {
      const other = shape.slice(cut).map((size, i) => (ones[i] ? 1 : size));
      const both: Shape[] = swap ? [other, shape] : [shape, other];
      const { nodes, values, result } = pose({ shapes: both, apply: op, range: [0.5, 2] }, 1);
      expectGradients(weighed(result), nodes, values, 1);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test("gradients of reductions agree for any shapes and axes", () => {
  const apply = fc.constantFrom(sum, mean, max);
  fc.assert(
    fc.property(
      sizes,
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      apply,
      fc.boolean(),
      (shape, chosen, op, keep) => {
        const axes = shape.flatMap((_, axis) => (chosen[axis] ? [axis] : []));
        const { nodes, values, result } = pose({ shapes: [shape], apply: (x) => op(x, { axes, keep }) }, 1);
        expectGradients(weighed(result), nodes, values, 1);
      },
    ),
    { numRuns: 60, seed: 2 },
  );
});

test("gradients of matrix products agree for any sizes, transposes and batches", () => {
  const size = fc.integer({ min: 1, max: 4 });
  const batches = fc.array(size, { maxLength: 2 });
  fc.assert(
    fc.property(
      size,
      size,
      size,
      batches,
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (m, k, l, batch, ta, tb, shared) => {
        const a: Shape = [...batch, ...(ta ? [k, m] : [m, k])];
        const b: Shape = [...(shared ? [] : batch), ...(tb ? [l, k] : [k, l])];
        const { nodes, values, result } = pose(
          { shapes: [a, b], apply: (x, y) => matmul(x, y, { transposeA: ta, transposeB: tb }) },
          1,
        );
        expectGradients(weighed(result), nodes, values, 1);
      },
    ),
    { numRuns: 60, seed: 3 },
  );
});

test("gradients of convolutions agree for any sides, kernels, strides and paddings", () => {
  const small = fc.integer({ min: 1, max: 3 });
  const sides = fc.tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 3, max: 6 }));
  const zeroTo = (max: number) => fc.nat(max);
  fc.assert(
    fc.property(
      small,
      small,
      sides,
      small,
      small,
      small,
      zeroTo(2),
      zeroTo(2),
      (c, o, [h, w], i, j, stride, padding, more) => {
        const forward = (x: Node, k: Node) => conv2d(x, k, { stride, padding });
        const backward = (y: Node, k: Node) =>
          convTranspose2d(y, k, {
            stride,
            padding: Math.min(padding, i - 1, j - 1),
            outputPadding: Math.min(more, stride - 1),
          });
        for (const [apply, image] of [
          [forward, c],
          [backward, o],
        ] as const) {
          const { nodes, values, result } = pose(
            {
              shapes: [
                ["n", image, h, w],
                [o, c, i, j],
              ],
              apply,
            },
            2,
          );
          expectGradients(weighed(result), nodes, values, 2, { most: 12 });
        }
      },
    ),
    { numRuns: 40, seed: 4 },
  );
});

test("gradients of slices, pads and concatenations agree for any positions", () => {
  const size = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(size, size, fc.nat(4), fc.nat(4), fc.nat(2), (a, b, from, length, more) => {
      const { nodes, values, result } = pose(
        {
          shapes: [
            ["n", a],
            ["n", b],
          ],
          apply: (x, y) => {
            const joined = pad(concatenate([x, y], 1), [0, more], [0, 1]);
            const start = Math.min(from, a + b + more);
            return slice(joined, 1, start, Math.min(start + 1 + length, a + b + more + 1));
          },
        },
        2,
      );
      expectGradients(weighed(result), nodes, values, 2);
    }),
    { numRuns: 40, seed: 5 },
  );
});

/** A scalar in which every element of y counts differently: Σ y·c + Σ y². */
function weighed(y: Node): Node {
  const scale = y.shape.reduce<Node>((weights, size, axis) => {
    if (typeof size !== "number") return weights;
    const shape = y.shape.map((_, i) => (i === axis ? size : 1));
    const factors = Array.from({ length: size }, (_, i) => 1 + 0.37 * i);
    return multiply(weights, constant(fromNumbers("float32", shape, factors)));
  }, constant(0.7));
  return add(sum(multiply(y, scale)), sum(square(y)));
}
