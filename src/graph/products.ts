/** Operations that multiply and sum: matrix products and convolutions, with the pooling that goes with them. */

import { slice } from "./arrange.ts";
import { requireFloat } from "./elementwise.ts";
import type { Node } from "./node.ts";
import { broadcastShapes, isStatic, type Shape, type Size, show } from "./size.ts";

export interface MatmulOptions {
  /** Use a with its last two axes swapped; no copy is made. */
  transposeA?: boolean;
  transposeB?: boolean;
}

/** The matrix product over the last two axes; axes before them are batches and broadcast. */
export function matmul(a: Node, b: Node, { transposeA = false, transposeB = false }: MatmulOptions = {}): Node {
  requireFloat("matmul", a);
  sameType("matmul", a, b);
  if (a.shape.length < 2 || b.shape.length < 2) {
    throw new RangeError(`matmul: needs two axes or more, got ${show(a.shape)} and ${show(b.shape)}`);
  }
  const [rows, innerA] = lastTwo(a.shape, transposeA);
  const [innerB, columns] = lastTwo(b.shape, transposeB);
  if (innerA !== innerB) {
    const marks = [transposeA ? "ᵀ" : "", transposeB ? "ᵀ" : ""];
    throw new RangeError(`matmul: inner sizes differ, got ${show(a.shape)}${marks[0]} and ${show(b.shape)}${marks[1]}`);
  }
  const batches = broadcastShapes("matmul", a.shape.slice(0, -2), b.shape.slice(0, -2));
  return {
    op: "matmul",
    inputs: [a, b],
    attributes: { transposeA, transposeB },
    shape: [...batches, rows, columns],
    dtype: a.dtype,
  };
}

function lastTwo(shape: Shape, swap: boolean) {
  const [first, second] = shape.slice(-2);
  return swap ? ([second!, first!] as const) : ([first!, second!] as const);
}

/*
 * Convolution is one trilinear form, Σ x·w·y, with three faces: give it two of image x, weight w and map y, and it
 * returns the third. Each face's gradients are the other two.
 *
 *   y[n,o,h,w] = Σ_{c,i,j} x[n,c, s·h+i−p, s·w+j−p] · w[o,c,i,j]        conv2d(x, w)
 *   x[n,c,…]   = Σ over the same terms, of w·y                        convTranspose2d(y, w)
 *   w[o,c,i,j] = Σ over the same terms, of x·y                        conv2dWeight(x, y)
 */

export interface ConvOptions {
  stride?: number;
  padding?: number;
  /** One number per channel of the result, added to it: [o]. */
  bias?: Node;
}

/** [n,c,h,w] with weights [o,c,i,j]: slides the window and sums. */
export function conv2d(x: Node, weight: Node, { stride = 1, padding = 0, bias }: ConvOptions = {}): Node {
  image("conv2d", x, weight);
  wholeNumbers("conv2d", stride, padding);
  if (x.shape[1] !== weight.shape[1]) {
    throw new RangeError(`conv2d: channels differ, got ${show(x.shape)} and weights ${show(weight.shape)}`);
  }
  const [h, w] = [2, 3].map((axis) => {
    const size = (x.shape[axis] as number) + 2 * padding - (weight.shape[axis] as number);
    if (size < 0) {
      throw new RangeError(
        `conv2d: the window ${show(weight.shape.slice(2))} is larger than ${show(x.shape.slice(2))} with padding ${padding}`,
      );
    }
    return Math.floor(size / stride) + 1;
  }) as [number, number];
  const shape: Shape = [x.shape[0]!, weight.shape[0]!, h, w];
  const inputs = withBias("conv2d", [x, weight], bias, weight.shape[0]!);
  return { op: "conv2d", inputs, attributes: { stride, padding }, shape, dtype: x.dtype };
}

export interface ConvTransposeOptions extends ConvOptions {
  /** Rows and columns added at the end, to choose among the sizes that a strided convolution maps to the same one. */
  outputPadding?: number | readonly [number, number];
}

/** [n,o,h,w] with weights [o,c,i,j] (PyTorch's layout for transposed layers): the transpose of conv2d. */
export function convTranspose2d(
  y: Node,
  weight: Node,
  { stride = 1, padding = 0, outputPadding = 0, bias }: ConvTransposeOptions = {},
): Node {
  image("convTranspose2d", y, weight);
  wholeNumbers("convTranspose2d", stride, padding);
  const more = typeof outputPadding === "number" ? ([outputPadding, outputPadding] as const) : outputPadding;
  if (!more.every((extra) => Number.isInteger(extra) && extra >= 0 && extra < stride)) {
    throw new RangeError(`convTranspose2d: output padding must be from 0 to below the stride ${stride}, got ${more}`);
  }
  const size = more.map(
    (extra, i) => ((y.shape[2 + i] as number) - 1) * stride - 2 * padding + (weight.shape[2 + i] as number) + extra,
  ) as [number, number];
  if (size.some((side) => side < 1)) {
    const [from, window] = [y, weight].map(({ shape }) => show(shape.slice(2)));
    throw new RangeError(`convTranspose2d: padding ${padding} leaves nothing of ${from} under the window ${window}`);
  }
  return convTransposeTo(y, weight, stride, padding, size, bias);
}

/** The transpose of conv2d onto an image of a given size. */
export function convTransposeTo(
  y: Node,
  weight: Node,
  stride: number,
  padding: number,
  size: readonly [number, number],
  bias?: Node,
): Node {
  if (y.shape[1] !== weight.shape[0]) {
    throw new RangeError(`convTranspose2d: channels differ, got ${show(y.shape)} and weights ${show(weight.shape)}`);
  }
  const shape: Shape = [y.shape[0]!, weight.shape[1]!, ...size];
  const inputs = withBias("convTranspose2d", [y, weight], bias, weight.shape[1]!);
  return { op: "convTranspose2d", inputs, attributes: { stride, padding, size }, shape, dtype: y.dtype };
}

/** The weights' face of the form: summed over n, so the result has no batch. */
export function conv2dWeight(
  x: Node,
  y: Node,
  stride: number,
  padding: number,
  kernel: readonly [number, number],
): Node {
  const shape: Shape = [y.shape[1]!, x.shape[1]!, ...kernel];
  return { op: "conv2dWeight", inputs: [x, y], attributes: { stride, padding, kernel }, shape, dtype: x.dtype };
}

/** The largest of each factor×factor square; rows and columns that fill no square are left out. */
export function maxPool2d(x: Node, factor: number): Node {
  image("maxPool2d", x);
  const [h, w] = x.shape.slice(2).map((size) => Math.floor((size as number) / factor)) as [number, number];
  if (!(Number.isInteger(factor) && factor >= 1 && h >= 1 && w >= 1)) {
    throw new RangeError(`maxPool2d: the factor must be a whole number that fits ${show(x.shape)}, got ${factor}`);
  }
  const whole = slice(slice(x, 2, 0, h * factor), 3, 0, w * factor);
  const shape: Shape = [x.shape[0]!, x.shape[1]!, h, w];
  return { op: "maxPool2d", inputs: [whole], attributes: { factor }, shape, dtype: x.dtype };
}

/** Sends dy to the first largest element of each square of x, whose pooled value is y. */
export function maxPool2dGradient(x: Node, y: Node, dy: Node, factor: number): Node {
  return { op: "maxPool2dGradient", inputs: [x, y, dy], attributes: { factor }, shape: x.shape, dtype: x.dtype };
}

/** Each element becomes a factor×factor square. */
export function upsample2d(x: Node, factor: number): Node {
  image("upsample2d", x);
  if (!(Number.isInteger(factor) && factor >= 1)) {
    throw new RangeError(`upsample2d: the factor must be a whole number from 1, got ${factor}`);
  }
  const [n, c, h, w] = x.shape as [number, number, number, number];
  return {
    op: "upsample2d",
    inputs: [x],
    attributes: { factor },
    shape: [n, c, h * factor, w * factor],
    dtype: x.dtype,
  };
}

/** The height and width of an image, or of a window. */
export function spatial({ shape }: Node): [number, number] {
  return [shape[2] as number, shape[3] as number];
}

function image(where: string, x: Node, weight?: Node): void {
  requireFloat(where, x);
  if (x.shape.length !== 4 || x.shape.slice(1).some((size) => typeof size !== "number")) {
    throw new RangeError(`${where}: needs an image [n,channels,height,width], got ${show(x.shape)}`);
  }
  if (!weight) return;
  sameType(where, x, weight);
  if (weight.shape.length !== 4 || !isStatic(weight.shape)) {
    throw new RangeError(`${where}: weights need four axes that do not depend on n, got ${show(weight.shape)}`);
  }
}

function withBias(where: string, inputs: readonly Node[], bias: Node | undefined, channels: Size): readonly Node[] {
  if (!bias) return inputs;
  sameType(where, inputs[0]!, bias);
  if (bias.shape.length !== 1 || bias.shape[0] !== channels) {
    throw new RangeError(`${where}: the bias must be [${channels}], got ${show(bias.shape)}`);
  }
  return [...inputs, bias];
}

function wholeNumbers(where: string, stride: number, padding: number): void {
  for (const [name, value, from] of [
    ["stride", stride, 1],
    ["padding", padding, 0],
  ] as const) {
    if (!Number.isInteger(value) || value < from) {
      throw new RangeError(`${where}: the ${name} must be a whole number from ${from}, got ${value}`);
    }
  }
}

function sameType(where: string, a: Node, b: Node): void {
  if (a.dtype !== b.dtype) throw new TypeError(`${where}: types differ, got ${a.dtype} and ${b.dtype}`);
}
