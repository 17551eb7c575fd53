/** Principal axes: the directions in which rows vary most. */

import { Random } from "../tensor/random.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { eigen } from "./eigen.ts";
import { dot, orthonormal } from "./orthonormal.ts";
import type { Pace } from "./pace.ts";

/** Directions v₁, v₂, … of greatest variance around a mean. */
export interface Axes {
  readonly mean: Float64Array;
  /** One after the other, each of length 1. */
  readonly vectors: Float64Array;
}

/** Up to so many columns the covariance is decomposed exactly, in a second or two at most. */
const exactUpTo = 200;

/** With more columns: how many vectors beyond those wanted are iterated, how often, and on how many rows at most. */
const wide = { more: 8, iterations: 12, rows: 5000 };

/**
 * The first `count` eigenvectors of the covariance Σᵢ (zᵢ − mean)(zᵢ − mean)ᵀ, of more than 200 columns by subspace
 * iteration on at most 5,000 rows. Of v and −v it is the one whose largest number is positive. There are never more
 * than columns.
 */
export async function principalAxes(codes: Tensor<"float32">, count: number, pace: Pace): Promise<Axes> {
  const d = codes.shape[1]!;
  const mean = meanRow(codes);
  const found = d <= exactUpTo ? await exactAxes(codes, mean, pace) : await iteratedAxes(codes, mean, count, pace);
  const vectors = found.slice(0, Math.min(count, d) * d);
  for (let at = 0; at < vectors.length; at += d) {
    const vector = vectors.subarray(at, at + d);
    const largest = vector.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    if (largest < 0) vector.set(vector.map((value) => -value));
  }
  return { mean, vectors };
}

/** Only the first `count` of some axes. */
export function firstAxes({ mean, vectors }: Axes, count: number): Axes {
  return { mean, vectors: vectors.subarray(0, count * mean.length) };
}

/** (zᵢ − mean)·vⱼ for each row and axis, [n, axes]. */
export async function projected(
  { data, shape }: Tensor<"float32">,
  { mean, vectors }: Axes,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const [n, d] = shape as [number, number];
  const m = vectors.length / d;
  const out = new Float32Array(n * m);
  for (let i = 0; i < n; i++) {
    if (i % 256 === 0) await pace();
    for (let j = 0; j < m; j++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += (data[i * d + c]! - mean[c]!) * vectors[j * d + c]!;
      out[i * m + j] = sum;
    }
  }
  return tensor("float32", [n, m], out);
}

function meanRow({ data, shape }: Tensor<"float32">): Float64Array {
  const [n, d] = shape as [number, number];
  const sums = new Float64Array(d);
  // Differences from the first row: the mean of a constant column is then exact, and no rounding is taken for variance.
  for (let i = 0; i < n; i++) for (let c = 0; c < d; c++) sums[c]! += data[i * d + c]! - data[c]!;
  return sums.map((sum, c) => data[c]! + sum / n);
}

async function exactAxes({ data, shape }: Tensor<"float32">, mean: Float64Array, pace: Pace): Promise<Float64Array> {
  const [n, d] = shape as [number, number];
  const covariance = new Float64Array(d * d);
  const row = new Float64Array(d);
  for (let i = 0; i < n; i++) {
    if (i % 256 === 0) await pace();
    for (let c = 0; c < d; c++) row[c] = data[i * d + c]! - mean[c]!;
    for (let a = 0; a < d; a++) for (let b = 0; b <= a; b++) covariance[a * d + b]! += row[a]! * row[b]!;
  }
  for (let a = 0; a < d; a++) for (let b = 0; b < a; b++) covariance[b * d + a] = covariance[a * d + b]!;
  return (await eigen(covariance, d, pace)).vectors;
}

/**
 * Q ← orthonormal(Σᵢ xᵢ xᵢᵀ Q) over and over, x = z − mean; at last Q is turned to the eigenvectors of QᵀΣxxᵀQ
 * (Rayleigh–Ritz).
 */
async function iteratedAxes(
  codes: Tensor<"float32">,
  mean: Float64Array,
  count: number,
  pace: Pace,
): Promise<Float64Array> {
  const d = codes.shape[1]!;
  const m = Math.min(d, count + wide.more);
  // Any start that is not orthogonal to the answer will do: the seed of the picture has no part in its first axes.
  let q: Float64Array = await orthonormal(Float64Array.from(Random.seeded(0).normals(m * d)), m, d, pace);
  let image = await covarianceTimes(codes, mean, q, m, pace);
  for (let iteration = 0; iteration < wide.iterations; iteration++) {
    q = await orthonormal(image, m, d, pace);
    image = await covarianceTimes(codes, mean, q, m, pace);
  }
  const inner = new Float64Array(m * m);
  for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) inner[a * m + b] = dot(q, a, image, b, d);
  const turned = (await eigen(inner, m, pace)).vectors;
  const axes = new Float64Array(m * d);
  for (let j = 0; j < m; j++) {
    for (let a = 0; a < m; a++) for (let c = 0; c < d; c++) axes[j * d + c]! += turned[j * m + a]! * q[a * d + c]!;
  }
  return axes;
}

/** Σᵢ xᵢ (xᵢ·qⱼ) for each j, over evenly spaced rows. */
async function covarianceTimes(
  { data, shape }: Tensor<"float32">,
  mean: Float64Array,
  q: Float64Array,
  m: number,
  pace: Pace,
): Promise<Float64Array> {
  const [n, d] = shape as [number, number];
  const out = new Float64Array(m * d);
  const x = new Float64Array(d);
  const every = Math.ceil(n / wide.rows);
  for (let i = 0; i < n; i += every) {
    await pace();
    for (let c = 0; c < d; c++) x[c] = data[i * d + c]! - mean[c]!;
    for (let j = 0; j < m; j++) {
      const part = dot(x, 0, q, j, d);
      for (let c = 0; c < d; c++) out[j * d + c]! += part * x[c]!;
    }
  }
  return out;
}
