/** The largest eigenvalues of a symmetric matrix that is only known by what it does to a vector. */

import type { Random } from "../tensor/random.ts";
import { type Eigen, eigen } from "./eigen.ts";
import { dot, orthonormal } from "./orthonormal.ts";
import type { Pace } from "./pace.ts";

/** y ← Ax, of vectors of n numbers. */
export type Times = (x: Float64Array, y: Float64Array) => void;

interface LeadingEigenOptions {
  /** No eigenvalue is below or above these. */
  readonly from: number;
  readonly to: number;
  readonly random: Random;
  readonly pace: Pace;
}

/** Up to so many rows the matrix is written down and decomposed as a whole. */
const small = 64;

/** Vectors beyond those wanted, the degree of the filter, and when it ends. */
const block = { more: 8, degree: 30, rounds: 40, residual: 1e-5 };

/**
 * The first `count` eigenvalues from the largest, and their vectors, by a subspace that is filtered again and again
 * (Zhou, Saad, Tiago & Chelikowsky, 2006):
 *
 *   V ← orthonormal(Tₘ((A − c)/e) V),   c = (b + a)/2,   e = (b − a)/2,
 *
 * Tₘ Chebyshev's polynomial, at most 1 on [a, b] and growing fast above it; a is the least eigenvalue there can be, b
 * the smallest that V has found so far. V is then turned to the eigenvectors of VᵀAV (Rayleigh–Ritz). It ends where
 * ‖Av − θv‖ ≤ 1e-5 for each of the wanted, and after 40 rounds.
 */
export async function leadingEigen(
  times: Times,
  n: number,
  count: number,
  { from, to, random, pace }: LeadingEigenOptions,
): Promise<Eigen> {
  const m = count + Math.max(block.more, Math.ceil(count / 2));
  if (n <= Math.max(small, m)) return firstOf(await wholeEigen(times, n, pace), Math.min(count, n), n);
  let v = await orthonormal(Float64Array.from(random.normals(m * n)), m, n, pace);
  for (let round = 1; ; round++) {
    const { values, vectors, residual } = await turned(times, v, m, n, count, pace);
    if (residual <= block.residual || round === block.rounds) return firstOf({ values, vectors }, count, n);
    // Where all of V is at the top already, what is left to damp is just below.
    const b = Math.min(values[m - 1]!, to - 1e-6 * (to - from));
    for (let j = 0; j < m; j++) {
      await filter(times, vectors.subarray(j * n, (j + 1) * n), Math.max(b, from + 1e-6 * (to - from)), from, to, pace);
    }
    v = await orthonormal(vectors, m, n, pace);
  }
}

/** x ← Tₘ((A − c)/e) x / Tₘ((to − c)/e), in place, by Tᵢ₊₁ = 2tTᵢ − Tᵢ₋₁; so scaled that nothing grows above 1. */
async function filter(times: Times, x: Float64Array, b: number, a: number, to: number, pace: Pace): Promise<void> {
  const [c, e] = [(b + a) / 2, (b - a) / 2];
  const first = e / (to - c);
  let sigma = first;
  let before = x.slice();
  let now = new Float64Array(x.length);
  let next = new Float64Array(x.length);
  times(before, now);
  for (let i = 0; i < x.length; i++) now[i] = (now[i]! - c * before[i]!) * (sigma / e);
  for (let degree = 2; degree <= block.degree; degree++) {
    await pace();
    const after = 1 / (2 / first - sigma);
    times(now, next);
    for (let i = 0; i < x.length; i++) {
      next[i] = ((2 * after) / e) * (next[i]! - c * now[i]!) - sigma * after * before[i]!;
    }
    [before, now, next, sigma] = [now, next, before, after];
  }
  x.set(now);
}

/** V turned so that VᵀAV is diagonal, and the largest ‖Av − θv‖ of the first `count`. */
async function turned(
  times: Times,
  v: Float64Array,
  m: number,
  n: number,
  count: number,
  pace: Pace,
): Promise<Eigen & { residual: number }> {
  const image = new Float64Array(m * n);
  for (let j = 0; j < m; j++) {
    await pace();
    times(v.subarray(j * n, (j + 1) * n), image.subarray(j * n, (j + 1) * n));
  }
  const inner = new Float64Array(m * m);
  for (let a = 0; a < m; a++) {
    await pace();
    for (let b = 0; b <= a; b++) inner[a * m + b] = inner[b * m + a] = dot(v, a, image, b, n);
  }
  const { values, vectors: turn } = await eigen(inner, m, pace);
  const vectors = await combined(v, turn, m, n, pace);
  const images = await combined(image, turn, m, n, pace);
  let residual = 0;
  for (let j = 0; j < count; j++) {
    let squared = 0;
    for (let i = j * n; i < (j + 1) * n; i++) squared += (images[i]! - values[j]! * vectors[i]!) ** 2;
    residual = Math.max(residual, Math.sqrt(squared));
  }
  return { values, vectors, residual };
}

/** Σₐ uⱼₐ vₐ for each j. */
async function combined(v: Float64Array, u: Float64Array, m: number, n: number, pace: Pace): Promise<Float64Array> {
  const out = new Float64Array(m * n);
  for (let j = 0; j < m; j++) {
    await pace();
    for (let a = 0; a < m; a++) {
      const part = u[j * m + a]!;
      for (let i = 0; i < n; i++) out[j * n + i]! += part * v[a * n + i]!;
    }
  }
  return out;
}

async function wholeEigen(times: Times, n: number, pace: Pace): Promise<Eigen> {
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const unit = new Float64Array(n);
    unit[i] = 1;
    times(unit, matrix.subarray(i * n, (i + 1) * n));
  }
  return eigen(matrix, n, pace);
}

function firstOf({ values, vectors }: Eigen, count: number, n: number): Eigen {
  return { values: values.slice(0, count), vectors: vectors.slice(0, count * n) };
}
