/**
 * Fuzzy c-means: every row belongs to every cluster, the more the nearer its center is.
 * Dunn, 1973; Bezdek, 1981.
 *
 *   xᵢ  rows             uᵢⱼ  how much row i belongs to cluster j, Σⱼ uᵢⱼ = 1
 *   cⱼ  centers          m    fuzzifier, above 1: towards 1 it is k-means
 *
 *   min Σᵢ Σⱼ uᵢⱼᵐ ‖xᵢ − cⱼ‖²
 */

import { squaredDistance } from "../../numerics/distances.ts";
import type { Pace } from "../../numerics/pace.ts";
import { number, whole } from "../../options.ts";
import type { Random } from "../../tensor/random.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import { teacher } from "../teacher.ts";

const options = {
  m: number(
    "m, how fuzzy clusters are: towards 1 it is k-means, and in many columns 2 draws all centers together.",
    2,
    {
      from: 1.01,
      to: 100,
    },
  ),
  tolerance: number("It ends where no membership changes by more than this.", 1e-5),
  iterations: whole("Iterations at most.", 300, { from: 1 }),
} as const;

export const fcm = teacher({
  name: "fcm",
  about: "Round clusters that overlap: each row belongs to all of them, the more the nearer.",
  paper: "Bezdek, Pattern recognition with fuzzy objective function algorithms, Plenum, 1981",
  clusters: "told",
  most: 500_000,
  options,
  async divide(rows, { clusters: k, random, pace, options: { m, tolerance, iterations } }) {
    const n = rows.shape[0]!;
    let u = startOf(n, k, random);
    for (let iteration = 0; iteration < iterations; iteration++) {
      const after = await membershipsOf(rows, await centersOf(rows, u, k, m, pace), k, m, pace);
      let change = 0;
      for (let at = 0; at < u.length; at++) change = Math.max(change, Math.abs(after[at]! - u[at]!));
      u = after;
      if (change <= tolerance) break;
    }
    return { labels: largest(u, n, k), memberships: tensor("float32", [n, k], Float32Array.from(u)) };
  },
});

/** Any numbers, Σⱼ uᵢⱼ = 1. */
function startOf(n: number, k: number, random: Random): Float64Array {
  const u = Float64Array.from(random.uniforms(n * k));
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += u[i * k + j]!;
    for (let j = 0; j < k; j++) u[i * k + j]! /= sum;
  }
  return u;
}

/** cⱼ = Σᵢ uᵢⱼᵐ xᵢ / Σᵢ uᵢⱼᵐ. */
export async function centersOf(
  { data, shape }: Tensor<"float32">,
  u: Float64Array,
  k: number,
  m: number,
  pace: Pace,
): Promise<Float64Array> {
  const [n, d] = shape as [number, number];
  const [sums, weights] = [new Float64Array(k * d), new Float64Array(k)];
  for (let i = 0; i < n; i++) {
    if (i % 64 === 0) await pace();
    for (let j = 0; j < k; j++) {
      const weight = u[i * k + j]! ** m;
      weights[j]! += weight;
      for (let c = 0; c < d; c++) sums[j * d + c]! += weight * data[i * d + c]!;
    }
  }
  return sums.map((sum, at) => sum / (weights[Math.floor(at / d)]! || 1));
}

/** uᵢⱼ = 1 / Σₗ (‖xᵢ − cⱼ‖ / ‖xᵢ − cₗ‖)^(2/(m−1)); a row that lies on centers belongs to these alone. */
export async function membershipsOf(
  { data, shape }: Tensor<"float32">,
  centers: Float64Array,
  k: number,
  m: number,
  pace: Pace,
): Promise<Float64Array> {
  const [n, d] = shape as [number, number];
  const u = new Float64Array(n * k);
  const far = new Float64Array(k);
  for (let i = 0; i < n; i++) {
    if (i % 64 === 0) await pace();
    for (let j = 0; j < k; j++) far[j] = squaredDistance(data, i, centers, j, d);
    // Over the nearest, so that no power is too large.
    const least = far.reduce((a, b) => Math.min(a, b));
    let sum = 0;
    for (let j = 0; j < k; j++) {
      u[i * k + j] = least === 0 ? Number(far[j] === 0) : (least / far[j]!) ** (1 / (m - 1));
      sum += u[i * k + j]!;
    }
    for (let j = 0; j < k; j++) u[i * k + j]! /= sum;
  }
  return u;
}

function largest(u: Float64Array, n: number, k: number): Int32Array {
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 1; j < k; j++) if (u[i * k + j]! > u[i * k + labels[i]!]!) labels[i] = j;
  }
  return labels;
}
