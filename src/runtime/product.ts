/** Matrix products in the ONNX operations that run fastest. */

import type { Node } from "../graph/node.ts";
import type { Inputs } from "../graph/primitives.ts";
import type { OnnxGraph } from "../onnx/write.ts";
import type { Target } from "./target.ts";

export function lowerMatmul(
  graph: OnnxGraph,
  target: Target,
  node: Node<"matmul">,
  [a, b]: Inputs<"matmul", string>,
): string {
  const [{ shape: shapeA }, { shape: shapeB }] = node.inputs;
  const { transposeA, transposeB } = node.attributes;
  const isMatrix = shapeA.length === 2 && shapeB.length === 2;
  const [inner, results] = transposeB ? [shapeB.at(-1), shapeB.at(-2)] : [shapeB.at(-2), shapeB.at(-1)];
  if (target === "gpu" && isMatrix && !transposeA && typeof inner === "number" && typeof results === "number") {
    const parts = partsOf(inner);
    if (inner >= 512 && results <= 32 && parts >= 4) return inParts(graph, a, b, transposeB, inner, results, parts);
  }
  // Gemm reads a matrix either way; a GPU's is slower than the product, and than turning a large matrix first.
  const byGemm = isMatrix && (transposeA || (transposeB && target === "cpu"));
  if (byGemm) return graph.node("Gemm", [a, b], { transA: Number(transposeA), transB: Number(transposeB) });
  // ONNX Runtime takes a swap of the last two axes into a product of stacks.
  const swapped = (name: string, rank: number): string => graph.node("Transpose", [name], { perm: swapLast(rank) });
  return graph.node("MatMul", [transposeA ? swapped(a, shapeA.length) : a, transposeB ? swapped(b, shapeB.length) : b]);
}

/**
 * A long sum for few results keeps few of a GPU's processors busy: 2000 terms for 256×10 results took three times as
 * long as for 256×500. Cut into parts that run side by side and are added at the end, it takes what it should.
 */
function inParts(
  graph: OnnxGraph,
  a: string,
  b: string,
  transposeB: boolean,
  inner: number,
  results: number,
  parts: number,
): string {
  const length = inner / parts;
  const left = graph.node("Transpose", [graph.node("Reshape", [a, graph.integers([-1, parts, length])])], {
    perm: [1, 0, 2],
  });
  const right = transposeB
    ? graph.node("Transpose", [graph.node("Reshape", [b, graph.integers([results, parts, length])])], {
        perm: [1, 2, 0],
      })
    : graph.node("Reshape", [b, graph.integers([parts, length, results])]);
  return graph.node("ReduceSum", [graph.node("MatMul", [left, right]), graph.integers([0])], { keepdims: 0 });
}

/** The largest number of equal parts, up to 32. */
function partsOf(inner: number): number {
  let parts = 32;
  while (inner % parts !== 0) parts--;
  return parts;
}

function swapLast(rank: number): number[] {
  const order = Array.from({ length: rank }, (_, axis) => axis);
  return [...order.slice(0, -2), rank - 1, rank - 2];
}
