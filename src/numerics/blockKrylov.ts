/** The largest eigenvalues of a full symmetric matrix that is applied to several vectors at once. */

import type { Random } from "../tensor/random.ts";
import type { Eigen } from "./eigen.ts";
import { dot, orthonormal } from "./orthonormal.ts";
import type { Pace } from "./pace.ts";
import { symmetricEigen } from "./symmetricEigen.ts";

/** y ← Ax, of several vectors of n numbers, one after the other. */
export type TimesEach = (x: Float64Array, y: Float64Array) => Promise<void>;

interface KrylovOptions {
  readonly random: Random;
  readonly pace: Pace;
  /** How exact: ‖Av − θv‖ at most. */
  readonly residual: number;
}

/** Up to so many rows the matrix is written down and decomposed as a whole. */
const small = 256;

/** Vectors beyond those wanted, powers of the matrix in a round, and rounds at most. */
const block = { more: 8, powers: 6, rounds: 40 };

/**
 * The first `count` eigenvalues from the largest, and their vectors, from the space of V, AV, A²V, …, each block at
 * right angles to all before it, so that products need be no more exact than float32; V is then turned to the first
 * eigenvectors of A in that space (Rayleigh–Ritz), and it begins again.
 */
export async function leadingByBlocks(
  times: TimesEach,
  n: number,
  count: number,
  { random, pace, residual: exact }: KrylovOptions,
): Promise<Eigen> {
  const m = count + Math.max(block.more, Math.ceil(count / 2));
  const all = m * block.powers;
  if (n <= Math.max(small, all)) return firstOf(await wholeEigen(times, n, pace), Math.min(count, n), n);
  const [basis, images] = [new Float64Array(all * n), new Float64Array(all * n)];
  basis.set(await orthonormal(Float64Array.from(random.normals(m * n)), m, n, pace));
  await times(basis.subarray(0, m * n), images.subarray(0, m * n));
  for (let round = 1; ; round++) {
    for (let from = m; from < all; from += m) {
      basis.set(images.subarray((from - m) * n, from * n), from * n);
      await rightAngled(basis, from, from + m, n, pace);
      await times(basis.subarray(from * n, (from + m) * n), images.subarray(from * n, (from + m) * n));
    }
    const { values, vectors: turn } = await symmetricEigen(await innerImages(basis, images, all, n, pace), all, pace);
    const v = await combined(basis, turn, m, all, n, pace);
    const image = await combined(images, turn, m, all, n, pace);
    if (round === block.rounds || farthest(v, image, values, count, n) <= exact) {
      return firstOf({ values, vectors: v }, count, n);
    }
    basis.set(v);
    images.set(image);
  }
}

/** Vectors from one to another at right angles to all before them, and of length 1: twice over, which is enough. */
async function rightAngled(basis: Float64Array, from: number, to: number, n: number, pace: Pace): Promise<void> {
  for (let j = from; j < to; j++) {
    for (let again = 0; again < 2; again++) {
      for (let i = 0; i < j; i++) {
        if (i % 8 === 0) await pace();
        const part = dot(basis, i, basis, j, n);
        for (let at = 0, x = i * n, y = j * n; at < n; at++, x++, y++) basis[y]! -= part * basis[x]!;
      }
      const length = Math.sqrt(dot(basis, j, basis, j, n));
      for (let at = j * n; at < (j + 1) * n; at++) basis[at]! *= length > 1e-12 ? 1 / length : 0;
    }
  }
}

/** VᵀAV. */
async function innerImages(v: Float64Array, images: Float64Array, all: number, n: number, pace: Pace) {
  const inner = new Float64Array(all * all);
  for (let a = 0; a < all; a++) {
    await pace();
    for (let b = 0; b <= a; b++) inner[a * all + b] = inner[b * all + a] = dot(v, a, images, b, n);
  }
  return inner;
}

/** Σₐ uⱼₐ vₐ for the first m. */
async function combined(v: Float64Array, u: Float64Array, m: number, all: number, n: number, pace: Pace) {
  const out = new Float64Array(m * n);
  for (let j = 0; j < m; j++) {
    await pace();
    for (let a = 0; a < all; a++) {
      const part = u[j * all + a]!;
      for (let at = 0, x = j * n, y = a * n; at < n; at++, x++, y++) out[x]! += part * v[y]!;
    }
  }
  return out;
}

/** The largest ‖Av − θv‖ of the first. */
function farthest(v: Float64Array, image: Float64Array, values: Float64Array, count: number, n: number): number {
  let most = 0;
  for (let j = 0; j < count; j++) {
    let squared = 0;
    for (let i = j * n; i < (j + 1) * n; i++) squared += (image[i]! - values[j]! * v[i]!) ** 2;
    most = Math.max(most, Math.sqrt(squared));
  }
  return most;
}

async function wholeEigen(times: TimesEach, n: number, pace: Pace): Promise<Eigen> {
  const [units, matrix] = [new Float64Array(n * n), new Float64Array(n * n)];
  for (let i = 0; i < n; i++) units[i * n + i] = 1;
  await times(units, matrix);
  return symmetricEigen(matrix, n, pace);
}

function firstOf({ values, vectors }: Eigen, count: number, n: number): Eigen {
  return { values: values.slice(0, count), vectors: vectors.slice(0, count * n) };
}
