/**
 * The faces of convolution in the ONNX operations that run fastest.
 *
 * On a CPU only ONNX Runtime's Conv is fast (it unfolds the image piece by piece, in cache, and multiplies matrices),
 * so everything is written as Conv. docs/performance.md has the measurements. A GPU does better with the direct
 * operations.
 */

import type { Node } from "../graph/node.ts";
import type { Inputs } from "../graph/primitives.ts";
import { imageShape, spatial, weightShape } from "../graph/products.ts";
import type { OnnxGraph } from "../onnx/write.ts";
import { filled } from "../tensor/tensor.ts";
import type { Target } from "./target.ts";

type Pair = readonly [number, number];

/** Attributes of Conv and ConvTranspose. */
function window(kernel: Pair, stride: number, pads: readonly number[]) {
  return { kernel_shape: kernel, strides: [stride, stride], pads };
}

const evenly = (padding: number): number[] => [padding, padding, padding, padding];

export function lowerConv(
  graph: OnnxGraph,
  { inputs, attributes }: Node<"conv2d">,
  names: Inputs<"conv2d", string>,
): string {
  return graph.node("Conv", names, window(spatial(inputs[1]), attributes.stride, evenly(attributes.padding)));
}

export function lowerConvTranspose(
  graph: OnnxGraph,
  target: Target,
  node: Node<"convTranspose2d">,
  names: Inputs<"convTranspose2d", string>,
): string {
  const { stride, padding, size } = node.attributes;
  const [[h, w], [i, j]] = [spatial(node.inputs[0]), spatial(node.inputs[1])];
  const rows = phasesOf(h, i, stride, padding, size[0]);
  const columns = phasesOf(w, j, stride, padding, size[1]);
  if (target === "cpu" && rows && columns) return interleavedConvs(graph, node, rows, columns, names);
  const natural = (places: number, window: number): number => (places - 1) * stride - 2 * padding + window;
  return graph.node("ConvTranspose", names, {
    ...window([i, j], stride, evenly(padding)),
    output_padding: [size[0] - natural(h, i), size[1] - natural(w, j)],
  });
}

/**
 * The rows (or columns) s·q + r of the image, q = 0, 1, …: which rows of the kernel reach them, and the padding that
 * aligns the map.
 */
interface Phase {
  readonly taps: readonly number[];
  readonly before: number;
  readonly after: number;
}

/**
 * Row s·q + r of the image collects row q + d of the map times row i of the kernel, for every i with r + p − i = s·d:
 * an ordinary convolution of the map with every s-th row of the kernel, in reverse. Nothing where a row of the image is
 * out of the kernel's reach, or rows of the map are not needed.
 */
function phasesOf(map: number, kernel: number, stride: number, padding: number, size: number): Phase[] | undefined {
  const all = Array.from({ length: kernel }, (_, i) => i);
  const count = Math.ceil(size / stride);
  const phases: Phase[] = [];
  for (let r = 0; r < stride; r++) {
    const taps = all.filter((i) => (r + padding - i) % stride === 0).reverse();
    const [first] = taps;
    if (first === undefined) return undefined;
    // The first tap reads row q + d, d = (r + p − i) / s; the map is padded in front by what that is below zero.
    const before = (first - r - padding) / stride;
    const after = count - map - before + taps.length - 1;
    if (before < 0 || after < 0) return undefined;
    phases.push({ taps, before, after });
  }
  return phases;
}

function interleavedConvs(
  graph: OnnxGraph,
  { inputs, attributes: { stride, size } }: Node<"convTranspose2d">,
  rows: readonly Phase[],
  columns: readonly Phase[],
  [y, weight, ...bias]: Inputs<"convTranspose2d", string>,
): string {
  const [o, c, , width] = weightShape("convTranspose2d", inputs[1]);
  const flat = graph.node("Reshape", [weight, graph.integers([o, c, -1])]);
  const parts = rows.map((row) =>
    columns.map((column) => {
      const positions = row.taps.flatMap((i) => column.taps.map((j) => i * width + j));
      const picked = graph.node("Gather", [flat, graph.integers(positions)], { axis: 2 });
      const swapped = graph.node("Transpose", [picked], { perm: [1, 0, 2] });
      const kernel = [row.taps.length, column.taps.length] as const;
      const phase = graph.node("Reshape", [swapped, graph.integers([c, o, ...kernel])]);
      const pads = [row.before, column.before, row.after, column.after];
      return graph.node("Conv", [y, phase, ...bias], window(kernel, 1, pads));
    }),
  );
  const [only, ...others] = parts.flat();
  if (only && others.length === 0) return only;
  // Lays the phases beside each other: [n,c,rows,s,columns,s], which read in order is the image.
  const [q, r] = [Math.ceil(size[0] / stride), Math.ceil(size[1] / stride)];
  const apart = graph.integers([-1, c, q, 1, r, 1]);
  const lines = parts.map((line) =>
    graph.node(
      "Concat",
      line.map((part) => graph.node("Reshape", [part, apart])),
      { axis: 5 },
    ),
  );
  const whole = graph.node("Concat", lines, { axis: 3 });
  const image = graph.node("Reshape", [whole, graph.integers([-1, c, q * stride, r * stride])]);
  return cut(graph, image, [q * stride, r * stride], size);
}

export function lowerConvWeight(
  graph: OnnxGraph,
  target: Target,
  node: Node<"conv2dWeight">,
  [x, y]: Inputs<"conv2dWeight", string>,
): string {
  const [, channels] = imageShape("conv2dWeight", node.inputs[0]);
  const unfold = target === "gpu" || channels <= 4;
  return unfold ? unfoldedProduct(graph, target, node, x, y) : batchAsChannels(graph, node, x, y);
}

/**
 * One convolution in which the batch plays the channels and the map plays the kernel: it sums over n, h and w, as the
 * weight's gradient does. With the image as [1,n,H,W·C] and the kernel's columns C apart, the result is [1,O,i,j·C],
 * all taps at once.
 */
function batchAsChannels(graph: OnnxGraph, { inputs, attributes }: Node<"conv2dWeight">, x: string, y: string): string {
  const { stride, padding, kernel } = attributes;
  const [, C, H, W] = imageShape("conv2dWeight", inputs[0]);
  const [, O, h, w] = imageShape("conv2dWeight", inputs[1]);
  const flat = graph.node("Reshape", [x, graph.integers([-1, C, H * W])]);
  // Channels last, as a product with the identity: ONNX Runtime takes the transpose into the product, which is faster
  // than moving.
  const swapped = graph.node("Transpose", [flat], { perm: [0, 2, 1] });
  const last = graph.node("MatMul", [swapped, graph.constant(identity(C))]);
  const image = graph.node("Reshape", [last, graph.integers([1, -1, H, W * C])]);
  const map = graph.node("Transpose", [y], { perm: [1, 0, 2, 3] });
  // Rows that the strided window did not reach shorten the padding at the end, or are left over.
  const [below, beside] = [(H + 2 * padding - kernel[0]) % stride, (W + 2 * padding - kernel[1]) % stride];
  const taps = graph.node("Conv", [image, map], {
    kernel_shape: [h, w],
    dilations: [stride, stride * C],
    pads: [padding, padding * C, Math.max(0, padding - below), Math.max(0, padding - beside) * C],
  });
  const reached: Pair = [kernel[0] + Math.max(0, below - padding), (kernel[1] + Math.max(0, beside - padding)) * C];
  const exact = cut(graph, taps, reached, [kernel[0], kernel[1] * C]);
  const split = graph.node("Reshape", [exact, graph.integers([O, kernel[0], kernel[1], C])]);
  return graph.node("Transpose", [split], { perm: [0, 3, 1, 2] });
}

/**
 * The image unfolded, so that each tap of the kernel has a row; then one product with the map per row of the batch,
 * summed over the batch.
 */
function unfoldedProduct(graph: OnnxGraph, target: Target, node: Node<"conv2dWeight">, x: string, y: string): string {
  const { kernel } = node.attributes;
  const [, C] = imageShape("conv2dWeight", node.inputs[0]);
  const [, O, h, w] = imageShape("conv2dWeight", node.inputs[1]);
  // WebGPU's grouped convolution (ONNX Runtime 1.30) gives wrong numbers where the channels are a multiple of four.
  const bySlices = target === "gpu" && C > 1;
  const unfolded = bySlices ? unfoldBySlices(graph, node, x) : unfoldByConv(graph, node, x);
  const columns = graph.node("Reshape", [unfolded, graph.integers([-1, C * kernel[0] * kernel[1], h * w])]);
  const map = graph.node("Reshape", [y, graph.integers([-1, O, h * w])]);
  const products = graph.node("MatMul", [columns, graph.node("Transpose", [map], { perm: [0, 2, 1] })]);
  const total = graph.node("ReduceSum", [products, graph.integers([0])], { keepdims: 0 });
  const shape = bySlices ? [...kernel, C, O] : [C, ...kernel, O];
  const perm = bySlices ? [3, 2, 0, 1] : [3, 0, 1, 2];
  return graph.node("Transpose", [graph.node("Reshape", [total, graph.integers(shape)])], { perm });
}

/** A convolution, channel by channel, with kernels that pick one tap each: [n,C·i·j,h,w]. */
function unfoldByConv(graph: OnnxGraph, { inputs, attributes }: Node<"conv2dWeight">, x: string): string {
  const { stride, padding, kernel } = attributes;
  const [, C] = imageShape("conv2dWeight", inputs[0]);
  const options = { ...window(kernel, stride, evenly(padding)), group: C };
  return graph.node("Conv", [x, graph.constant(oneTapEach(C, kernel))], options);
}

/** The image shifted by each tap, one after the other: [n,i·j·C,h,w]. */
function unfoldBySlices(graph: OnnxGraph, { inputs, attributes }: Node<"conv2dWeight">, x: string): string {
  const { stride, padding, kernel } = attributes;
  const [h, w] = spatial(inputs[1]);
  const padded = graph.node("Pad", [x, graph.integers([0, 0, padding, padding, 0, 0, padding, padding])]);
  const steps = graph.integers([stride, stride]);
  const shifts: string[] = [];
  for (let i = 0; i < kernel[0]; i++) {
    for (let j = 0; j < kernel[1]; j++) {
      const ends = graph.integers([i + (h - 1) * stride + 1, j + (w - 1) * stride + 1]);
      shifts.push(graph.node("Slice", [padded, graph.integers([i, j]), ends, graph.integers([2, 3]), steps]));
    }
  }
  return graph.node("Concat", shifts, { axis: 1 });
}

/** For each of C channels, a kernel for every tap that is 1 there and 0 elsewhere: [C·i·j,1,i,j]. */
function oneTapEach(C: number, kernel: Pair) {
  const taps = kernel[0] * kernel[1];
  const kernels = filled("float32", [C * taps, 1, ...kernel], 0);
  for (let tap = 0; tap < C * taps; tap++) kernels.data[tap * taps + (tap % taps)] = 1;
  return kernels;
}

/** The first rows and columns of an image, if it has more. */
function cut(graph: OnnxGraph, image: string, has: Pair, wanted: Pair): string {
  if (has[0] === wanted[0] && has[1] === wanted[1]) return image;
  return graph.node("Slice", [image, graph.integers([0, 0]), graph.integers(wanted), graph.integers([2, 3])]);
}

function identity(size: number) {
  const matrix = filled("float32", [size, size], 0);
  for (let i = 0; i < size; i++) matrix.data[i * size + i] = 1;
  return matrix;
}
