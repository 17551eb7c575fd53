/**
 * A mixture of normal distributions: the two steps of expectation and maximization (Dempster, Laird & Rubin, 1977).
 *
 *   x  rows [n, d]                       r  how much of row i each component has, [n, k], rows that sum to 1
 *   w, μ, Σ  weights [k], means [k, d]   ℓ  mean log-likelihood of a row
 *            and covariances [k, d, d]   ε  ridge
 */

import type { Tensor } from "../tensor/tensor.ts";
import { cholesky, squaredLengthIn } from "./cholesky.ts";
import type { Pace } from "./pace.ts";

/** Components of a mixture; `l` has Cholesky's factors [k, d, d], or the deviations [k, d] where Σ is diagonal. */
export interface Mixture {
  readonly logWeights: Float64Array;
  readonly means: Float64Array;
  readonly l: Float64Array;
  readonly isFull: boolean;
}

interface Expected {
  readonly r: Float64Array;
  readonly logLikelihood: number;
}

/**
 * M:  nⱼ = Σᵢ rᵢⱼ,   wⱼ = nⱼ / n,   μⱼ = Σᵢ rᵢⱼ xᵢ / nⱼ,   Σⱼ = Σᵢ rᵢⱼ (xᵢ − μⱼ)(xᵢ − μⱼ)ᵀ / nⱼ + ε·1
 */
export async function maximization(
  { data: x, shape }: Tensor<"float32">,
  r: Float64Array,
  k: number,
  isFull: boolean,
  ridge: number,
  pace: Pace,
): Promise<Mixture> {
  const [n, d] = shape as [number, number];
  const sizes = new Float64Array(k);
  const means = new Float64Array(k * d);
  for (let i = 0; i < n; i++) {
    if (i % 256 === 0) await pace();
    for (let j = 0; j < k; j++) {
      sizes[j]! += r[i * k + j]!;
      for (let c = 0; c < d; c++) means[j * d + c]! += r[i * k + j]! * x[i * d + c]!;
    }
  }
  // A component that lost all its rows has a weight of almost 0, and numbers all the same.
  for (let j = 0; j < k; j++) sizes[j]! += 10 * Number.EPSILON;
  for (let at = 0; at < k * d; at++) means[at]! /= sizes[Math.floor(at / d)]!;

  const width = isFull ? d * d : d;
  const covariances = new Float64Array(k * width);
  const apart = new Float64Array(d);
  for (let i = 0; i < n; i++) {
    if (i % 32 === 0) await pace();
    for (let j = 0; j < k; j++) {
      // What is less than a rounding error of the whole is not worth d² multiplications.
      const share = r[i * k + j]! / sizes[j]!;
      if (share < 1e-20) continue;
      for (let c = 0; c < d; c++) apart[c] = x[i * d + c]! - means[j * d + c]!;
      addSquares(covariances, j * width, apart, share, isFull);
    }
  }
  const l = new Float64Array(k * width);
  for (let j = 0; j < k; j++) {
    l.set(factorOf(covariances.subarray(j * width, (j + 1) * width), d, isFull, ridge), j * width);
  }
  return { logWeights: sizes.map((size) => Math.log(size / n)), means, l, isFull };
}

/** Adds share·vvᵀ, its lower half, or its diagonal alone. */
function addSquares(sums: Float64Array, at: number, v: Float64Array, share: number, isFull: boolean): void {
  const d = v.length;
  for (let a = 0; a < d; a++) {
    const part = share * v[a]!;
    if (isFull) for (let b = 0; b <= a; b++) sums[at + a * d + b]! += part * v[b]!;
    else sums[at + a]! += part * v[a]!;
  }
}

/** L of Σ + ε·1, or √(Σ + ε) of a diagonal; where rounding has left Σ no longer positive, with ten times the ridge. */
function factorOf(covariance: Float64Array, d: number, isFull: boolean, ridge: number): Float64Array {
  if (!isFull) return covariance.map((variance) => Math.sqrt(variance + ridge));
  for (let more = ridge; ; more *= 10) {
    const ridged = covariance.map((value, at) => (at % (d + 1) === 0 ? value + more : value));
    const l = cholesky(ridged, d);
    if (l) return l;
  }
}

/**
 * E:  log pᵢⱼ = log wⱼ − ½(d log 2π + log|Σⱼ| + (xᵢ − μⱼ)ᵀΣⱼ⁻¹(xᵢ − μⱼ)),   rᵢⱼ = pᵢⱼ / Σⱼ pᵢⱼ,   ℓ = mean log Σⱼ pᵢⱼ
 */
export async function expectation(
  { data: x, shape }: Tensor<"float32">,
  { logWeights, means, l, isFull }: Mixture,
  pace: Pace,
): Promise<Expected> {
  const [n, d] = shape as [number, number];
  const k = logWeights.length;
  const width = isFull ? d * d : d;
  // log|Σ| = 2 Σ log Lᵢᵢ
  const constants = logWeights.map((logWeight, j) => {
    let logDeterminant = 0;
    for (let c = 0; c < d; c++) logDeterminant += 2 * Math.log(l[j * width + (isFull ? c * (d + 1) : c)]!);
    return logWeight - (d * Math.log(2 * Math.PI) + logDeterminant) / 2;
  });
  const r = new Float64Array(n * k);
  const apart = new Float64Array(d);
  let logLikelihood = 0;
  for (let i = 0; i < n; i++) {
    if (i % 32 === 0) await pace();
    let most = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < k; j++) {
      for (let c = 0; c < d; c++) apart[c] = x[i * d + c]! - means[j * d + c]!;
      const squared = isFull ? squaredLengthIn(l, j * width, apart) : squaredInDeviations(l, j * width, apart);
      r[i * k + j] = constants[j]! - squared / 2;
      most = Math.max(most, r[i * k + j]!);
    }
    // log Σ exp(v) = m + log Σ exp(v − m), m the largest v.
    let sum = 0;
    for (let j = 0; j < k; j++) sum += Math.exp(r[i * k + j]! - most);
    const logSum = most + Math.log(sum);
    for (let j = 0; j < k; j++) r[i * k + j] = Math.exp(r[i * k + j]! - logSum);
    logLikelihood += logSum / n;
  }
  return { r, logLikelihood };
}

function squaredInDeviations(deviations: Float64Array, at: number, x: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < x.length; c++) sum += (x[c]! / deviations[at + c]!) ** 2;
  return sum;
}

/** r of rows that belong to one component each. */
export function oneHot(labels: Int32Array, k: number): Float64Array {
  const r = new Float64Array(labels.length * k);
  labels.forEach((label, i) => {
    r[i * k + label] = 1;
  });
  return r;
}
