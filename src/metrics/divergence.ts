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
    const z = Float64Array.from({ length: k }, (_, j) => Math.sqrt(squaredDistance(codes.data, i, centers.data, j, d)));
    const u = z.reduce((a, b) => a + b, 0) / k;
    const student = z.map((value) => 1 / (1 + value * value));
    const total = student.reduce((a, b) => a + b, 0);
    for (let j = 0; j < k; j++) {
      first[i * k + j] = Math.max(0, u - z[j]!);
      second[i * k + j] = student[j]! / total;
    }
  }
  const [p1, p2] = [sharpened(first, n, k), sharpened(second, n, k)];
  const total = p2.reduce((sum, p, at) => sum + p * Math.log((p + epsilon) / (p1[at]! + epsilon)), 0);
  return total / n;
}

/** I6: Pⱼ = (Qⱼ²/fⱼ) / Σ (Q²/f), fⱼ = Σ over rows of Qⱼ. */
function sharpened(q: Float64Array, n: number, k: number): Float64Array {
  const f = new Float64Array(k);
  q.forEach((value, at) => {
    f[at % k]! += value;
  });
  const p = q.map((value, at) => (f[at % k]! > 0 ? (value * value) / f[at % k]! : 0));
  for (let i = 0; i < n; i++) {
    const row = p.subarray(i * k, (i + 1) * k);
    const total = row.reduce((a, b) => a + b, 0);
    row.forEach((value, j) => {
      row[j] = total > 0 ? value / total : 1 / k;
    });
  }
  return p;
}
