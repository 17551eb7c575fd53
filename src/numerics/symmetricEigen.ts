/** All eigenvectors of a symmetric matrix of some hundred rows: Householder's reflections, then QL with shifts. */

import { type Eigen, eigen } from "./eigen.ts";
import type { Pace } from "./pace.ts";

/** Up to so many rows Jacobi's rotations are as fast, and more exact. */
const small = 32;

/** A rotation ends where what is beside the diagonal is less than this share of its neighbours. */
const negligible = 2 ** -52;

/** More turns for one eigenvalue than any matrix has been seen to need. */
const turns = 60;

/** Eigenvalues from the largest, and their vectors, of a symmetric matrix [d, d]: about 6·d³ multiplications. */
export async function symmetricEigen(matrix: Float64Array, d: number, pace: Pace): Promise<Eigen> {
  if (d <= small) return eigen(matrix, d, pace);
  const { diagonal, beside, q } = await tridiagonal(matrix.slice(), d, pace);
  await turned(diagonal, beside, q, d, pace);
  const order = Array.from({ length: d }, (_, i) => i).sort((i, j) => diagonal[j]! - diagonal[i]! || i - j);
  const vectors = new Float64Array(d * d);
  order.forEach((from, to) => {
    vectors.set(q.subarray(from * d, (from + 1) * d), to * d);
  });
  return { values: Float64Array.from(order, (i) => diagonal[i]!), vectors };
}

interface Tridiagonal {
  readonly diagonal: Float64Array;
  /** beside[i] is between i and i + 1. */
  readonly beside: Float64Array;
  /** The rows of Qᵀ, where QᵀAQ is tridiagonal. */
  readonly q: Float64Array;
}

/**
 * A ← HAH for one reflection H = 1 − 2vvᵀ after the other, each of which makes a column zero below the place under the
 * diagonal: with p = 2Av and w = p − (vᵀp)v, HAH = A − vwᵀ − wvᵀ.
 */
async function tridiagonal(a: Float64Array, d: number, pace: Pace): Promise<Tridiagonal> {
  const q = new Float64Array(d * d);
  for (let i = 0; i < d; i++) q[i * d + i] = 1;
  const [v, w] = [new Float64Array(d), new Float64Array(d)];
  for (let k = 0; k < d - 2; k++) {
    await pace();
    let squared = 0;
    for (let i = k + 1; i < d; i++) squared += a[i * d + k]! ** 2;
    const first = a[(k + 1) * d + k]!;
    if (squared - first * first === 0) continue;
    const length = Math.sqrt(squared);
    v.fill(0, 0, k + 1);
    for (let i = k + 1; i < d; i++) v[i] = a[i * d + k]!;
    v[k + 1]! += first < 0 ? -length : length;
    const scale = 1 / Math.sqrt(2 * (squared + Math.abs(first) * length));
    for (let i = k + 1; i < d; i++) v[i]! *= scale;

    let vp = 0;
    for (let i = k; i < d; i++) {
      let sum = 0;
      for (let j = k + 1, at = i * d + k + 1; j < d; j++, at++) sum += a[at]! * v[j]!;
      w[i] = 2 * sum;
      vp += v[i]! * w[i]!;
    }
    for (let i = k; i < d; i++) w[i]! -= vp * v[i]!;
    for (let i = k; i < d; i++) {
      const [vi, wi] = [v[i]!, w[i]!];
      for (let j = k, at = i * d + k; j < d; j++, at++) a[at]! -= vi * w[j]! + wi * v[j]!;
    }
    // Qᵀ ← HQᵀ: rows from k + 1 on lose 2v(vᵀQᵀ).
    w.fill(0);
    for (let i = k + 1; i < d; i++) for (let j = 0, at = i * d; j < d; j++, at++) w[j]! += 2 * v[i]! * q[at]!;
    for (let i = k + 1; i < d; i++) for (let j = 0, at = i * d; j < d; j++, at++) q[at]! -= v[i]! * w[j]!;
  }
  const diagonal = Float64Array.from({ length: d }, (_, i) => a[i * d + i]!);
  const beside = Float64Array.from({ length: d }, (_, i) => (i < d - 1 ? a[(i + 1) * d + i]! : 0));
  return { diagonal, beside, q };
}

/**
 * The tridiagonal matrix to its eigenvalues: rotations from the bottom up, shifted by the eigenvalue of the first two
 * rows that is nearer (Wilkinson), until each number beside the diagonal is nothing. Rows of Qᵀ turn along.
 */
async function turned(a: Float64Array, b: Float64Array, q: Float64Array, d: number, pace: Pace): Promise<void> {
  for (let top = 0; top < d; top++) {
    for (let turn = 0; turn < turns; turn++) {
      await pace();
      let bottom = top;
      while (bottom < d - 1 && Math.abs(b[bottom]!) > negligible * (Math.abs(a[bottom]!) + Math.abs(a[bottom + 1]!))) {
        bottom++;
      }
      if (bottom === top) break;
      const half = (a[top + 1]! - a[top]!) / (2 * b[top]!);
      const root = Math.hypot(half, 1);
      // What is chased upwards: the bottom less the shift.
      let chased = a[bottom]! - a[top]! + b[top]! / (half + (half < 0 ? -root : root));
      let [sine, cosine, passed] = [1, 1, 0];
      let isCut = false;
      for (let i = bottom - 1; i >= top; i--) {
        const [f, g] = [sine * b[i]!, cosine * b[i]!];
        const length = Math.hypot(f, chased);
        b[i + 1] = length;
        if (length === 0) {
          // The matrix falls into two: each is turned by itself.
          a[i + 1]! -= passed;
          b[bottom] = 0;
          isCut = true;
          break;
        }
        sine = f / length;
        cosine = chased / length;
        const rest = a[i + 1]! - passed;
        const moved = (a[i]! - rest) * sine + 2 * cosine * g;
        passed = sine * moved;
        a[i + 1] = rest + passed;
        chased = cosine * moved - g;
        for (let j = 0, x = i * d, y = (i + 1) * d; j < d; j++, x++, y++) {
          const [above, below] = [q[x]!, q[y]!];
          q[y] = sine * above + cosine * below;
          q[x] = cosine * above - sine * below;
        }
      }
      if (isCut) continue;
      a[top]! -= passed;
      b[top] = chased;
      b[bottom] = 0;
    }
  }
}
