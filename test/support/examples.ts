/**
 * Examples of every primitive, at ordinary, broadcast, size-1 and edge shapes. A primitive without an entry does not
 * compile.
 */

import * as arrange from "../../src/graph/arrange.ts";
import * as elementwise from "../../src/graph/elementwise.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import type { Primitive, Taking } from "../../src/graph/primitives.ts";
import * as products from "../../src/graph/products.ts";
import * as reduce from "../../src/graph/reduce.ts";
import { bind, type Shape } from "../../src/graph/size.ts";
import { Random } from "../../src/tensor/random.ts";
import { type DType, fromNumbers, sizeOf, type Tensor } from "../../src/tensor/tensor.ts";
import type { Value } from "./oracle.ts";

export interface Example {
  /** The shapes of the inputs, which may have n in them. */
  readonly shapes: readonly Shape[];
  readonly apply: (...inputs: [Node, Node, Node]) => Node;
  /** Inputs lie between these. */
  readonly range?: readonly [number, number];
}

/** Inputs of an example, as nodes with values. */
export interface Posed {
  readonly nodes: Node[];
  readonly values: Map<Node, Value>;
  readonly result: Node;
  readonly n: number;
}

/**
 * Makes the example's inputs: values spread evenly and shuffled, so that none is near a kink, and none equals another.
 */
export function pose({ shapes, apply, range: [low, high] = [-1, 1] }: Example, n: number): Posed {
  const random = Random.seeded(7);
  const values = new Map<Node, Value>();
  const nodes = shapes.map((shape, i) => {
    const node = input(`x${i}`, shape);
    const bound = bind(shape, n);
    const order = random.permutation(sizeOf(bound));
    // Offsets without a common measure: elements of different inputs never coincide.
    const offset = [Math.SQRT2 - 1, Math.sqrt(3) - 1, Math.sqrt(7) - 2][i]!;
    const data = Float64Array.from(order, (place) => low + ((high - low) * (place + offset)) / order.length);
    values.set(node, { shape: bound, data });
    return node;
  });
  return { nodes, values, result: apply(...(nodes as [Node, Node, Node])), n };
}

/** The value as a tensor to feed. */
export function toTensor({ shape, data }: Value, dtype: DType = "float32"): Tensor {
  return fromNumbers(dtype, shape, data);
}

/** Shapes as they print: "[n,4] [4]". */
function parse(shapes: string): Shape[] {
  return shapes.split(" ").map((shape) =>
    shape
      .slice(1, -1)
      .split(",")
      .filter((size) => size !== "")
      .map((size) => (size === "n" ? "n" : Number(size))),
  );
}

const pairs = ["[n,4] [n,4]", "[n,4] [4]", "[n,1] [1,4]", "[] [n,4]", "[2,1,3] [5,1]", "[1] [1]"];
const singles = ["[n,4]", "[1]", "[]", "[2,3,2]"];

const of = (shapes: string, apply: Example["apply"], range?: [number, number]): Example => ({
  shapes: parse(shapes),
  apply,
  ...(range && { range }),
});
const binary = (apply: (a: Node, b: Node) => Node, range?: [number, number]): Example[] =>
  pairs.map((shapes) => of(shapes, apply, range));
const unary = (apply: (x: Node) => Node, range?: [number, number]): Example[] =>
  singles.map((shape) => of(shape, apply, range));

const { reshape, broadcast, transpose, slice, concatenate, pad, gatherRows, oneHot, size, flatten } = arrange;
const { add, multiply, cast, where, greater, power } = elementwise;
const { sum, max, argmax, argmin, softmax } = reduce;
const { matmul, conv2d, convTranspose2d, conv2dWeight, maxPool2d, maxPool2dGradient, upsample2d } = products;

const index = (values: readonly number[], dtype: "int32" | "int64" = "int64"): Node =>
  constant(fromNumbers(dtype, [values.length], values));

/** Primitives that have a gradient, each with examples of it. */
export const differentiable = {
  add: binary(add),
  subtract: binary(elementwise.subtract),
  multiply: binary(multiply),
  divide: binary(elementwise.divide, [0.5, 2]),
  power: [...binary(power, [0.5, 2]), ...unary((x) => power(x, 3)), ...unary((x) => power(x, -0.5), [0.5, 2])],
  minimum: binary(elementwise.minimum),
  maximum: binary(elementwise.maximum),
  negate: unary(elementwise.negate),
  exp: unary(elementwise.exp),
  log: unary(elementwise.log, [0.5, 2]),
  sqrt: unary(elementwise.sqrt, [0.5, 2]),
  abs: unary(elementwise.abs),
  relu: unary(elementwise.relu),
  leakyRelu: unary((x) => elementwise.leakyRelu(x, 0.1)),
  sigmoid: unary(elementwise.sigmoid, [-3, 3]),
  tanh: unary(elementwise.tanh, [-3, 3]),
  where: pairs.map((shapes) => of(shapes, (a, b) => where(greater(a, 0), multiply(a, 2), b))),
  cast: unary((x) => cast(cast(x, "float64"), "float32")),
  reshape: [
    of("[n,6]", (x) => reshape(x, ["n", 2, 3])),
    of("[n,2,3]", flatten),
    of("[n,2,3]", (x) => reshape(x, [-1, 3])),
    of("[1]", (x) => reshape(x, [])),
  ],
  broadcast: [
    of("[n,1]", (x) => broadcast(x, ["n", 3])),
    of("[3]", (x) => broadcast(x, [2, 3])),
    of("[n,1] [4]", (a, b) => matmul(broadcast(a, ["n", 4]), broadcast(b, [4, 4]))),
    of("[] [n,2]", (a, b) => concatenate([broadcast(a, ["n", 2]), b], 1)),
  ],
  transpose: [
    of("[n,4]", (x) => transpose(x)),
    of("[2,n,3]", (x) => transpose(x, [1, 2, 0])),
    of("[1,1]", (x) => transpose(x)),
  ],
  slice: [
    of("[n,5]", (x) => slice(x, 1, 1, 4)),
    of("[n,5]", (x) => slice(x, -1, -1)),
    of("[4,n,2]", (x) => slice(x, 0, 0, 1)),
  ],
  concatenate: [
    of("[n,2] [n,3]", (a, b) => concatenate([a, b, a], 1)),
    of("[1,2] [3,2]", (a, b) => concatenate([a, b], 0)),
  ],
  pad: [
    of("[n,3]", (x) => pad(x, [0, 1], [0, 2])),
    of("[n,2,2]", (x) => pad(x, [0, 1, 0], [0, 1, 1], 5)),
    of("[1]", (x) => pad(x, [2], [0])),
  ],
  gatherRows: [
    of("[4,3]", (table) => gatherRows(table, index([0, 2, 2, 3, 0]))),
    of("[4,3]", (table) => gatherRows(table, index([3], "int32"))),
    of("[2,2,2]", (table) => gatherRows(table, index([1, 1]))),
    of("[5]", (table) => gatherRows(table, index([4, 0]))),
  ],
  sum: [
    ...[[0], [1], [0, 2], [-1]].map((axes) => of("[n,3,2]", (x) => sum(x, { axes }))),
    of("[n,3,2]", (x) => sum(x, { axes: [0, 2], keep: true })),
    of("[n,3]", (x) => sum(x)),
    of("[1]", (x) => sum(x)),
    of("[n,3]", (x) => reduce.mean(x)),
    of("[n,3,2]", (x) => reduce.mean(x, { axes: [0, 1] })),
    of("[n,3]", (x) => reduce.logSumExp(x, { axes: [1] })),
    of("[n,3]", (x) => reduce.norm(x, { axes: [1], keep: true })),
  ],
  max: [
    ...[[0], [1], [0, 2]].map((axes) => of("[n,3,2]", (x) => max(x, { axes }))),
    of("[n,3]", (x) => max(x, { axes: [1], keep: true })),
    of("[1]", (x) => max(x)),
  ],
  softmax: [
    of("[n,5]", (x) => softmax(x), [-3, 3]),
    of("[n,3,2]", (x) => softmax(x, 1), [-3, 3]),
    of("[n,1]", (x) => softmax(x)),
  ],
  matmul: [
    // A long sum for few results, which a GPU makes in parts.
    ...[false, true].map((transposeB) =>
      of(transposeB ? "[n,512] [3,512]" : "[n,512] [512,3]", (a, b) => matmul(a, b, { transposeB }), [-0.1, 0.1]),
    ),
    of("[n,4] [4,3]", (a, b) => matmul(a, b)),
    of("[4,n] [4,3]", (a, b) => matmul(a, b, { transposeA: true })),
    of("[n,4] [3,4]", (a, b) => matmul(a, b, { transposeB: true })),
    of("[4,n] [3,4]", (a, b) => matmul(a, b, { transposeA: true, transposeB: true })),
    of("[n,4] [n,3]", (a, b) => matmul(a, b, { transposeA: true })),
    of("[n,2,4] [n,4,3]", (a, b) => matmul(a, b)),
    of("[n,4,2] [n,3,4]", (a, b) => matmul(a, b, { transposeA: true, transposeB: true })),
    of("[n,2,4] [n,3,4]", (a, b) => matmul(a, b, { transposeB: true })),
    of("[3,1,2,4] [2,4,3]", (a, b) => matmul(a, b)),
    of("[n,2,4] [4,3]", (a, b) => matmul(a, b)),
    of("[1,1] [1,1]", (a, b) => matmul(a, b)),
  ],
  conv2d: [
    of("[n,2,5,4] [3,2,3,3] [3]", (x, w, bias) => conv2d(x, w, { padding: 1, bias })),
    // Five channels take the weight's gradient another way than few.
    of("[n,5,5,4] [3,5,3,3]", (x, w) => conv2d(x, w, { padding: 1 })),
    of("[n,5,6,5] [2,5,3,2]", (x, w) => conv2d(x, w, { stride: 2 })),
    of("[n,5,8,7] [2,5,3,3]", (x, w) => conv2d(x, w, { stride: 3, padding: 1 })),
    of("[n,2,5,4] [3,2,3,3]", (x, w) => conv2d(x, w, { padding: 1 })),
    of("[n,2,5,6] [3,2,3,3]", (x, w) => conv2d(x, w, { stride: 2, padding: 1 })),
    of("[n,1,5,7] [2,1,2,4]", (x, w) => conv2d(x, w, { stride: 2 })),
    of("[n,1,6,6] [2,1,5,5]", (x, w) => conv2d(x, w, { padding: 2 })),
    of("[1,1,1,1] [1,1,1,1]", (x, w) => conv2d(x, w)),
    of("[n,2,7,7] [2,2,3,3]", (x, w) => conv2d(x, w, { stride: 3, padding: 1 })),
  ],
  convTranspose2d: [
    of("[n,3,3,4] [3,2,3,3] [2]", (y, w, bias) => convTranspose2d(y, w, { stride: 2, padding: 1, bias })),
    of("[n,3,3,4] [3,2,3,3]", (y, w) => convTranspose2d(y, w, { padding: 1 })),
    of("[n,3,3,2] [3,2,3,3]", (y, w) => convTranspose2d(y, w, { stride: 2, padding: 1, outputPadding: 1 })),
    of("[n,3,3,2] [3,2,3,3]", (y, w) => convTranspose2d(y, w, { stride: 2, padding: 1, outputPadding: [0, 1] })),
    of("[n,2,3,2] [2,1,2,3]", (y, w) => convTranspose2d(y, w, { stride: 3, outputPadding: 2 })),
    of("[1,1,1,1] [1,1,1,1]", (y, w) => convTranspose2d(y, w)),
  ],
  conv2dWeight: [
    of("[n,2,5,4] [n,3,5,4]", (x, y) => conv2dWeight(x, y, 1, 1, [3, 3])),
    of("[n,2,5,6] [n,3,3,3]", (x, y) => conv2dWeight(x, y, 2, 1, [3, 3])),
    of("[n,1,6,6] [n,2,6,6]", (x, y) => conv2dWeight(x, y, 1, 2, [5, 5])),
    of("[n,2,7,7] [n,2,3,3]", (x, y) => conv2dWeight(x, y, 3, 1, [3, 3])),
  ],
  maxPool2d: [
    of("[n,2,4,6]", (x) => maxPool2d(x, 2)),
    of("[n,1,5,7]", (x) => maxPool2d(x, 3)),
    of("[1,1,1,1]", (x) => maxPool2d(x, 1)),
  ],
  upsample2d: [of("[n,2,2,3]", (x) => upsample2d(x, 2)), of("[1,1,1,1]", (x) => upsample2d(x, 3))],
} satisfies Partial<Record<Primitive, Example[]>>;

/** Primitives through which no gradient flows. */
export const constantResults = {
  sign: unary(elementwise.sign),
  isPositive: unary(elementwise.isPositive),
  equal: binary((a, b) => cast(elementwise.equal(greater(a, 0), greater(b, 0)), "float32")),
  less: binary((a, b) => cast(elementwise.less(a, b), "float32")),
  greater: binary((a, b) => cast(greater(a, b), "float32")),
  stopGradient: unary(elementwise.stopGradient),
  size: [of("[n,3]", (x) => multiply(x, size(x))), of("[n,3]", (x) => size(x, [0])), of("[2,3]", (x) => size(x))],
  oneHot: [of("[n,4]", (x) => oneHot(argmax(x), 4)), of("[n,4]", (x) => oneHot(cast(argmin(x), "int32"), 6))],
  argmax: [
    of("[n,4]", (x) => argmax(x)),
    of("[n,4,2]", (x) => argmax(x, 1)),
    of("[n,3]", (x) => argmax(multiply(x, 0))),
  ],
  argmin: [of("[n,4]", (x) => argmin(x)), of("[3,n]", (x) => argmin(x, 0))],
  maxPool2dGradient: [
    of("[n,2,4,4] [n,2,2,2]", (x, dy) => maxPool2dGradient(x, maxPool2d(x, 2), dy, 2)),
    // Ties everywhere: the first element of each square takes all.
    of("[n,1,6,3] [n,1,2,1]", (x, dy) => maxPool2dGradient(multiply(x, 0), maxPool2d(multiply(x, 0), 3), dy, 3)),
  ],
} satisfies Partial<Record<Primitive, Example[]>>;

/** Nothing may be missing: every primitive is a leaf, has a gradient, or has a constant result. */
export const examples: { [P in Exclude<Primitive, Taking<"nothing">>]: Example[] } = {
  ...differentiable,
  ...constantResults,
};
