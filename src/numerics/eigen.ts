/** Eigenvectors by Jacobi's method. */

import type { Pace } from "./pace.ts";

export interface Eigen {
  /** From the largest to the smallest. */
  readonly values: Float64Array;
  /** One after the other, in the order of the values, each of length 1. */
  readonly vectors: Float64Array;
}

/** More sweeps than any matrix has been seen to need; from about the fifth on the error squares with each. */
const sweeps = 60;

/**
 * All eigenvalues and eigenvectors of a symmetric matrix [d, d] (Jacobi, 1846): rotations in one plane (p, q) after the
 * other, each of which makes aₚ_q zero, until nothing beside the diagonal is left.
 */
export async function eigen(matrix: Float64Array, d: number, pace: Pace): Promise<Eigen> {
  const a = matrix.slice();
  const v = new Float64Array(d * d);
  for (let i = 0; i < d; i++) v[i * d + i] = 1;
  const size = a.reduce((sum, value) => sum + value * value, 0);
  for (let sweep = 0; sweep < sweeps && besideDiagonal(a, d) > 1e-30 * size; sweep++) {
    for (let p = 0; p < d - 1; p++) {
      await pace();
      for (let q = p + 1; q < d; q++) rotate(a, v, p, q, d);
    }
  }
  const order = Array.from({ length: d }, (_, i) => i).sort((i, j) => a[j * d + j]! - a[i * d + i]! || i - j);
  const vectors = new Float64Array(d * d);
  order.forEach((from, to) => {
    vectors.set(v.subarray(from * d, (from + 1) * d), to * d);
  });
  return { values: Float64Array.from(order, (i) => a[i * d + i]!), vectors };
}

function besideDiagonal(a: Float64Array, d: number): number {
  let sum = 0;
  for (let i = 0; i < d; i++) for (let j = 0; j < i; j++) sum += 2 * a[i * d + j]! ** 2;
  return sum;
}

/**
 * A ← JᵀAJ and V ← VJ for the rotation J by the angle θ, t = tan θ the smaller root of t² + 2ht − 1 = 0,
 * h = (a_qq − aₚₚ) / 2aₚ_q. V is kept transposed.
 */
function rotate(a: Float64Array, v: Float64Array, p: number, q: number, d: number): void {
  const apq = a[p * d + q]!;
  if (apq === 0) return;
  const h = (a[q * d + q]! - a[p * d + p]!) / (2 * apq);
  const t = (h < 0 ? -1 : 1) / (Math.abs(h) + Math.sqrt(h * h + 1));
  const cosine = 1 / Math.sqrt(t * t + 1);
  const sine = t * cosine;
  turn(a, p, q, d, d, cosine, sine);
  turn(a, p * d, q * d, 1, d, cosine, sine);
  turn(v, p * d, q * d, 1, d, cosine, sine);
}

/** Turns two columns or two rows: `count` pairs of numbers from p and q on, `apart` from one to the next. */
function turn(
  values: Float64Array,
  p: number,
  q: number,
  apart: number,
  count: number,
  cosine: number,
  sine: number,
): void {
  for (let i = 0; i < count; i++, p += apart, q += apart) {
    const x = values[p]!;
    const y = values[q]!;
    values[p] = cosine * x - sine * y;
    values[q] = sine * x + cosine * y;
  }
}
