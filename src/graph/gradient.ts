/** Reverse-mode differentiation: formulas in, formulas out. */

import { isFloat, toNumbers } from "../tensor/tensor.ts";
import { broadcast, oneHot, pad, reshape, slice, transpose } from "./arrange.ts";
import {
  add,
  cast,
  divide,
  equal,
  greater,
  isPositive,
  less,
  log,
  multiply,
  negate,
  power,
  sign,
  subtract,
  where,
} from "./elementwise.ts";
import { constant, type Node, reachable } from "./node.ts";
import type { Attributes, Inputs, Primitive } from "./primitives.ts";
import { conv2d, conv2dWeight, convTransposeTo, imageShape, matmul, maxPool2dGradient, spatial } from "./products.ts";
import { reducedShape, sum } from "./reduce.ts";
import { product, type Shape, show } from "./size.ts";

/**
 * ∂L/∂x for every input x of an operation, given dy = ∂L/∂y for its result y.
 * An input that has none (an index, a condition) gets undefined, or is left out at the end.
 */
type GradientRule<P extends Primitive> = (
  dy: Node,
  y: Node<P>,
  inputs: Inputs<P, Node>,
  attributes: Attributes<P>,
) => Partial<Inputs<P, Node | undefined>>;

/** For results that do not change smoothly with any input: whole numbers, truths, sizes. */
const constantResult = (): [] => [];

/** The chain rule, one entry per primitive. A missing one does not compile. */
const rules: { readonly [P in Primitive]: GradientRule<P> } = {
  input: constantResult,
  variable: constantResult,
  constant: constantResult,

  add: (dy) => [dy, dy],
  subtract: (dy) => [dy, negate(dy)],
  // d(a·b) = b·da + a·db; for a square both are the same.
  multiply: (dy, _y, [a, b]) => (a === b ? [multiply(multiply(dy, 2), a)] : [multiply(dy, b), multiply(dy, a)]),
  // d(a/b) = da/b − (y/b)·db
  divide: (dy, y, [, b]) => [divide(dy, b), negate(multiply(dy, divide(y, b)))],
  // d(aᵇ) = b·aᵇ⁻¹·da + aᵇ·ln a·db
  // At a = 0 that may say 0·∞. With 1 for a it says 0: in da where b = 0 (a⁰ is flat), in db where a = 0 (0ᵇ is flat).
  power: (dy, y, [a, b]) => [
    multiply(dy, multiply(b, power(oneWhereZero(b, a), subtract(b, 1)))),
    multiply(dy, multiply(y, log(oneWhereZero(a, a)))),
  ],
  // Equal operands share the gradient, as in PyTorch.
  minimum: (dy, _y, [a, b]) => [multiply(dy, preference(a, b, less)), multiply(dy, preference(b, a, less))],
  maximum: (dy, _y, [a, b]) => [multiply(dy, preference(a, b, greater)), multiply(dy, preference(b, a, greater))],

  negate: (dy) => [negate(dy)],
  exp: (dy, y) => [multiply(dy, y)],
  log: (dy, _y, [x]) => [divide(dy, x)],
  // d√x = dx / 2√x
  sqrt: (dy, y) => [divide(dy, multiply(y, 2))],
  abs: (dy, _y, [x]) => [multiply(dy, sign(x))],
  sign: constantResult,
  isPositive: constantResult,
  relu: (dy, y) => [multiply(dy, isPositive(y))],
  leakyRelu: (dy, _y, [x], { slope }) => [multiply(dy, add(multiply(isPositive(x), 1 - slope), slope))],
  // σ' = σ(1 − σ)
  sigmoid: (dy, y) => [multiply(dy, multiply(y, subtract(1, y)))],
  // tanh' = 1 − tanh²
  tanh: (dy, y) => [multiply(dy, subtract(1, multiply(y, y)))],

  equal: constantResult,
  less: constantResult,
  greater: constantResult,
  where: (dy, _y, [condition]) => [undefined, where(condition, dy, 0), where(condition, 0, dy)],

  cast: (dy, _y, [x]) => [isFloat(x.dtype) ? cast(dy, x.dtype) : undefined],
  stopGradient: constantResult,
  size: constantResult,

  reshape: (dy, _y, [x]) => [reshape(dy, x.shape)],
  broadcast: (dy) => [dy],
  transpose: (dy, _y, _x, { permutation }) => [
    transpose(
      dy,
      permutation.map((_, axis) => permutation.indexOf(axis)),
    ),
  ],
  slice: (dy, y, [x], { starts }) => [
    pad(
      dy,
      starts,
      starts.map((start, axis) => remaining(x.shape, y.shape, axis, start)),
    ),
  ],
  concatenate: (dy, _y, parts, { axis }) => {
    let start = 0;
    return parts.map(({ shape }) => {
      const end = start + (shape[axis] as number);
      const part = slice(dy, axis, start, end);
      start = end;
      return part;
    });
  },
  pad: (dy, _y, [x], { before }) => [
    before.reduce((rest, start, axis) => {
      const size = x.shape[axis];
      return typeof size === "number" ? slice(rest, axis, start, start + size) : rest;
    }, dy),
  ],
  // Row j of the table collects dy of every i that asked for it: a product with the one-hot matrix, transposed.
  gatherRows: (dy, _y, [table, index]) => {
    const [rows, ...rest] = table.shape as number[];
    if (typeof rows !== "number") {
      throw new TypeError(`gradient: gatherRows from ${show(table.shape)}, whose rows depend on n, has none here`);
    }
    const width = product(rest) as number;
    const asked = oneHot(index, rows, dy.dtype);
    const collected = matmul(asked, reshape(dy, [...index.shape, width]), { transposeA: true });
    return [reshape(collected, table.shape)];
  },
  oneHot: constantResult,

  sum: (dy, _y, [x], { axes }) => [broadcast(reshape(dy, reducedShape(x.shape, axes, true)), x.shape)],
  // Equal largest elements share the gradient.
  max: (dy, y, [x], { axes }) => {
    const kept = reducedShape(x.shape, axes, true);
    const isLargest = cast(equal(x, reshape(y, kept)), dy.dtype);
    const share = divide(reshape(dy, kept), sum(isLargest, { axes, keep: true }));
    return [multiply(isLargest, share)];
  },
  argmax: constantResult,
  argmin: constantResult,
  // dx = y·(dy − Σ dy·y)
  softmax: (dy, y, _x, { axis }) => [multiply(y, subtract(dy, sum(multiply(dy, y), { axes: [axis], keep: true })))],

  // Y = A'B' where ' is the optional transpose: dA' = dY·B'ᵀ, dB' = A'ᵀ·dY, written so that no transpose is copied.
  matmul: (dy, _y, [a, b], { transposeA, transposeB }) => [
    transposeA
      ? matmul(b, dy, { transposeA: transposeB, transposeB: true })
      : matmul(dy, b, { transposeB: !transposeB }),
    transposeB
      ? matmul(dy, a, { transposeA: true, transposeB: transposeA })
      : matmul(a, dy, { transposeA: !transposeA }),
  ],
  conv2d: (dy, _y, [x, weight], { stride, padding }) => [
    convTransposeTo(dy, weight, stride, padding, spatial(x)),
    conv2dWeight(x, dy, stride, padding, spatial(weight)),
    sum(dy, { axes: [0, 2, 3] }),
  ],
  convTranspose2d: (dx, _x, [y, weight], { stride, padding }) => [
    conv2d(dx, weight, { stride, padding }),
    conv2dWeight(dx, y, stride, padding, spatial(weight)),
    sum(dx, { axes: [0, 2, 3] }),
  ],
  conv2dWeight: (dw, _w, [x, y], { stride, padding }) => [
    convTransposeTo(y, dw, stride, padding, spatial(x)),
    conv2d(x, dw, { stride, padding }),
  ],
  maxPool2d: (dy, y, [x], { factor }) => [maxPool2dGradient(x, y, dy, factor)],
  maxPool2dGradient: () => {
    throw new TypeError("gradient: a second derivative through maxPool2d is not defined here");
  },
  // Each element collects the gradient of its square.
  upsample2d: (dy, _y, [x], { factor }) => {
    const [n, c, h, w] = imageShape("upsample2d", x);
    return [sum(reshape(dy, [n, c, h, factor, w, factor]), { axes: [3, 5] })];
  },
};

/** ∂loss/∂target for each target, as nodes: they can be printed, compiled, and differentiated again. */
export function gradient(loss: Node, targets: readonly Node[]): Node[] {
  if (loss.shape.length !== 0 || !isFloat(loss.dtype)) {
    throw new TypeError(`gradient: the loss must be a float scalar, got ${loss.dtype} ${show(loss.shape)}`);
  }
  const order = reachable([loss]);
  // Only what lies between a target and the loss takes part.
  const involved = new Set<Node>(targets);
  for (const node of order) {
    if (node.op !== "stopGradient" && node.inputs.some((x) => involved.has(x))) involved.add(node);
  }
  const gradients = new Map<Node, Node>([[loss, constant(1, loss.dtype)]]);
  for (const y of order.reverse()) {
    const dy = gradients.get(y);
    if (!dy || !y.inputs.some((x) => involved.has(x))) continue;
    gradientsOfInputs(dy, y).forEach((dx, i) => {
      const x = y.inputs[i];
      if (!dx || !x || !involved.has(x)) return;
      const part = sumTo(dx, x.shape);
      const known = gradients.get(x);
      gradients.set(x, known ? add(known, part) : part);
    });
  }
  return targets.map((target) => gradients.get(target) ?? broadcast(constant(0, target.dtype), target.shape));
}

function gradientsOfInputs<P extends Primitive>(dy: Node, y: Node<P>): readonly (Node | undefined)[] {
  return rules[y.op](dy, y, y.inputs, y.attributes);
}

/** The opposite of broadcasting: sums dx over the axes along which x was stretched. */
function sumTo(dx: Node, shape: Shape): Node {
  const extra = dx.shape.length - shape.length;
  const axes = dx.shape.flatMap((size, axis) =>
    axis < extra || (shape[axis - extra] === 1 && size !== 1) ? [axis] : [],
  );
  return axes.length === 0 ? dx : reshape(sum(dx, { axes }), shape);
}

/** 1 where a is the chosen operand, ½ where both are. */
function preference(a: Node, b: Node, chosen: (a: Node, b: Node) => Node): Node {
  return add(cast(chosen(a, b), a.dtype), multiply(cast(equal(a, b), a.dtype), 0.5));
}

/** 1 where z is zero, x elsewhere. A constant without zeros need not be asked at every run. */
function oneWhereZero(z: Node, x: Node): Node {
  const isNeverZero = z.op === "constant" && toNumbers(z.attributes.value).every((value) => value !== 0);
  return isNeverZero ? x : where(equal(z, 0), 1, x);
}

function remaining(whole: Shape, part: Shape, axis: number, start: number): number {
  const [size, kept] = [whole[axis], part[axis]];
  return typeof size === "number" && typeof kept === "number" ? size - kept - start : 0;
}
