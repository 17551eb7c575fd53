/** Products: operations that multiply and sum (of matrices, convolutions), with the pooling that goes with them. */

import { slice } from "./arrange.ts";
import { requireFloat } from "./elementwise.ts";
import type { Node } from "./node.ts";
import type { Inputs } from "./primitives.ts";
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
  const [rows, innerA] = lastTwo(a.shape, transposeA);
  const [innerB, columns] = lastTwo(b.shape, transposeB);
  if (rows === undefined || innerA === undefined || innerB === undefined || columns === undefined) {
    throw new RangeError(`matmul: needs two axes or more, got ${show(a.shape)} and ${show(b.shape)}`);
  }
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

function lastTwo(shape: Shape, swap: boolean): readonly Size[] {
  return swap ? shape.slice(-2).reverse() : shape.slice(-2);
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
  const [n, c, height, width] = imageShape("conv2d", x);
  sameType("conv2d", x, weight);
  const [o, channels, i, j] = weightShape("conv2d", weight);
  wholeNumbers("conv2d", stride, padding);
  if (c !== channels) {
    throw new RangeError(`conv2d: channels differ, got ${show(x.shape)} and weights ${show(weight.shape)}`);
  }
  const places = (side: number, window: number): number => {
    const last = side + 2 * padding - window;
    if (last < 0) {
      throw new RangeError(
        `conv2d: the window ${show([i, j])} is larger than ${show([height, width])} with padding ${padding}`,
      );
    }
    return Math.floor(last / stride) + 1;
  };
  const shape: Shape = [n, o, places(height, i), places(width, j)];
  const inputs = withBias("conv2d", x, weight, bias, o);
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
  const [, , h, w] = imageShape("convTranspose2d", y);
  sameType("convTranspose2d", y, weight);
  const [, , i, j] = weightShape("convTranspose2d", weight);
  wholeNumbers("convTranspose2d", stride, padding);
  const more = typeof outputPadding === "number" ? ([outputPadding, outputPadding] as const) : outputPadding;
  if (!more.every((extra) => Number.isInteger(extra) && extra >= 0 && extra < stride)) {
    throw new RangeError(`convTranspose2d: output padding must be from 0 to below the stride ${stride}, got ${more}`);
  }
  const side = (places: number, window: number, extra: number) => (places - 1) * stride - 2 * padding + window + extra;
  const size = [side(h, i, more[0]), side(w, j, more[1])] as const;
  if (size.some((side) => side < 1)) {
    throw new RangeError(
      `convTranspose2d: padding ${padding} leaves nothing of ${show([h, w])} under the window ${show([i, j])}`,
    );
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
  const [n, channels] = imageShape("convTranspose2d", y);
  const [o, c] = weightShape("convTranspose2d", weight);
  if (channels !== o) {
    throw new RangeError(`convTranspose2d: channels differ, got ${show(y.shape)} and weights ${show(weight.shape)}`);
  }
  const shape: Shape = [n, c, ...size];
  const inputs = withBias("convTranspose2d", y, weight, bias, c);
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
  const [, c] = imageShape("conv2dWeight", x);
  const [, o] = imageShape("conv2dWeight", y);
  const shape: Shape = [o, c, ...kernel];
  return { op: "conv2dWeight", inputs: [x, y], attributes: { stride, padding, kernel }, shape, dtype: x.dtype };
}

/** The largest of each factor×factor square; rows and columns that fill no square are left out. */
export function maxPool2d(x: Node, factor: number): Node {
  const [n, c, height, width] = imageShape("maxPool2d", x);
  const [h, w] = [Math.floor(height / factor), Math.floor(width / factor)];
  if (!(Number.isInteger(factor) && factor >= 1 && h >= 1 && w >= 1)) {
    throw new RangeError(`maxPool2d: the factor must be a whole number that fits ${show(x.shape)}, got ${factor}`);
  }
  const whole = slice(slice(x, 2, 0, h * factor), 3, 0, w * factor);
  const shape: Shape = [n, c, h, w];
  return { op: "maxPool2d", inputs: [whole], attributes: { factor }, shape, dtype: x.dtype };
}

/** Sends dy to the first largest element of each square of x, whose pooled value is y. */
export function maxPool2dGradient(x: Node, y: Node, dy: Node, factor: number): Node {
  return { op: "maxPool2dGradient", inputs: [x, y, dy], attributes: { factor }, shape: x.shape, dtype: x.dtype };
}

/** Each element becomes a factor×factor square. */
export function upsample2d(x: Node, factor: number): Node {
  const [n, c, h, w] = imageShape("upsample2d", x);
  if (!(Number.isInteger(factor) && factor >= 1)) {
    throw new RangeError(`upsample2d: the factor must be a whole number from 1, got ${factor}`);
  }
  const shape: Shape = [n, c, h * factor, w * factor];
  return { op: "upsample2d", inputs: [x], attributes: { factor }, shape, dtype: x.dtype };
}

/** The sizes of an image, of which the first may depend on n. */
export function imageShape(where: string, x: Node): [n: Size, channels: number, height: number, width: number] {
  requireFloat(where, x);
  const [n, channels, height, width, ...more] = x.shape;
  if (
    n === undefined ||
    typeof channels !== "number" ||
    typeof height !== "number" ||
    typeof width !== "number" ||
    more.length > 0
  ) {
    throw new RangeError(`${where}: needs an image [n,channels,height,width], got ${show(x.shape)}`);
  }
  return [n, channels, height, width];
}

/** The height and width of an image, or of a window. */
export function spatial(x: Node): [height: number, width: number] {
  const [, , height, width] = imageShape("spatial", x);
  return [height, width];
}

/** The sizes of a convolution's weights. */
export function weightShape(where: string, weight: Node): [o: number, c: number, i: number, j: number] {
  const [o, c, i, j, ...more] = isStatic(weight.shape) ? weight.shape : [];
  if (o === undefined || c === undefined || i === undefined || j === undefined || more.length > 0) {
    throw new RangeError(`${where}: weights need four axes that do not depend on n, got ${show(weight.shape)}`);
  }
  return [o, c, i, j];
}

function withBias(
  where: string,
  x: Node,
  weight: Node,
  bias: Node | undefined,
  channels: Size,
): Inputs<"conv2d" | "convTranspose2d", Node> {
  if (!bias) return [x, weight];
  sameType(where, x, bias);
  if (bias.shape.length !== 1 || bias.shape[0] !== channels) {
    throw new RangeError(`${where}: the bias must be [${channels}], got ${show(bias.shape)}`);
  }
  return [x, weight, bias];
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
