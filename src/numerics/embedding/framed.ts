/** Positions in one frame, wherever they were and however large. */

import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Numbers } from "../distances.ts";

/**
 * Positions [n, dimensions] moved so that their mean is 0, and scaled so that the largest coordinate, of either sign,
 * is 1; all 0 where all are equal.
 */
export function framed(positions: Numbers, dimensions: number): Tensor<"float32"> {
  const n = positions.length / dimensions;
  const mean = new Float64Array(dimensions);
  positions.forEach((value, at) => {
    mean[at % dimensions]! += value / n;
  });
  let largest = 0;
  positions.forEach((value, at) => {
    largest = Math.max(largest, Math.abs(value - mean[at % dimensions]!));
  });
  const scale = largest > 0 ? 1 / largest : 0;
  return tensor(
    "float32",
    [n, dimensions],
    Float32Array.from(positions, (value, at) => (value - mean[at % dimensions]!) * scale),
  );
}
