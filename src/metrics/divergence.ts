import { squaredDistance } from "../numerics/distances.ts";
import type { Tensor } from "../tensor/tensor.ts";

/**
 * I5–I8: the mean over rows of Σⱼ P₂ log(P₂/P₁), how much two assignments of codes to centers disagree (Peng et al.,
 * "Deep Clustering with Sample-Assignment Invariance Prior", IEEE TNNLS 31, 2020),
 *
 *   Pⱼ = (Qⱼ²/fⱼ) / Σ (Q²/f),   Q₁ = max(0, u − z),   Q₂ = (1 + z²)⁻¹ / Σ (1 + z²)⁻¹,
 *
 * where z are the distances of a code from the centers, u is their mean, and fⱼ the sum of Qⱼ over rows. During
 * training it falls while the accuracy rises (Fig. 1a). Smaller is better, among codes of the same scale.
 */
export function divergence(codes: Tensor<"float32">, centers: Tensor<"float32">, epsilon = 1e-7): number {
  const [n, d] = codes.shape as [number, number];
  const k = centers.shape[0]!;
  const [first, second] = [new Float64Array(n * k), new Float64Array(n * k)];
  for (let i = 0; i < n; i++) {
    const [z, student] = [first.subarray(i * k, (i + 1) * k), second.subarray(i * k, (i + 1) * k)];
    let [sum, total] = [0, 0];
    for (let j = 0; j < k; j++) {
      z[j] = Math.sqrt(squaredDistance(codes.data, i, centers.data, j, d));
      student[j] = 1 / (1 + z[j]! * z[j]!);
      sum += z[j]!;
      total += student[j]!;
    }
    const u = sum / k;
    for (let j = 0; j < k; j++) {
      z[j] = Math.max(0, u - z[j]!);
      student[j]! /= total;
    }
  }
  const [p1, p2] = [sharpened(first, n, k), sharpened(second, n, k)];
  const total = p2.reduce((sum, p, at) => sum + p * Math.log((p + epsilon) / (p1[at]! + epsilon)), 0);
  return total / n;
}

/** I6: Pⱼ = (Qⱼ²/fⱼ) / Σ (Q²/f), fⱼ = Σ over rows of Qⱼ. */
function sharpened(q: Float64Array, n: number, k: number): Float64Array {
  const f = new Float64Array(k);
  for (let i = 0; i < n; i++) for (let j = 0; j < k; j++) f[j]! += q[i * k + j]!;
  const p = new Float64Array(n * k);
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (let j = 0; j < k; j++) {
      const value = q[i * k + j]!;
      p[i * k + j] = f[j]! > 0 ? (value * value) / f[j]! : 0;
      total += p[i * k + j]!;
    }
    for (let j = 0; j < k; j++) p[i * k + j] = total > 0 ? p[i * k + j]! / total : 1 / k;
  }
  return p;
}
