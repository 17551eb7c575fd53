/** Vectors made orthogonal and of length 1. */

import type { Pace } from "./pace.ts";

/**
 * `m` vectors of `d` numbers, one after the other: Gram and Schmidt's way, twice over, which is enough. A vector of
 * which nothing is left becomes zero.
 */
export async function orthonormal(vectors: Float64Array, m: number, d: number, pace: Pace): Promise<Float64Array> {
  const size = vectors.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const q = size > 0 ? vectors.map((value) => value / size) : vectors;
  for (let j = 0; j < m; j++) {
    for (let again = 0; again < 2; again++) {
      for (let i = 0; i < j; i++) {
        await pace();
        const part = dot(q, i, q, j, d);
        for (let c = 0; c < d; c++) q[j * d + c]! -= part * q[i * d + c]!;
      }
      const length = Math.sqrt(dot(q, j, q, j, d));
      for (let c = 0; c < d; c++) q[j * d + c]! *= length > 1e-12 ? 1 / length : 0;
    }
  }
  return q;
}

/** xᵢ·yⱼ of vectors of `d` numbers. */
export function dot(x: Float64Array, i: number, y: Float64Array, j: number, d: number): number {
  let sum = 0;
  for (let c = 0; c < d; c++) sum += x[i * d + c]! * y[j * d + c]!;
  return sum;
}
