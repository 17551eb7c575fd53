/** Learned centers, brought near enough to the means of their members to stand for them. */

import { meansByLabel } from "../numerics/kmeans.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";

/**
 * Each center Ω moved towards the mean m of its members, Ω + t (m − Ω), no further than until cos(Ω, m) is `least`;
 * nothing where all are that near.
 *
 * With a along m and b across it, Ω + t (m − Ω) has the tangent (1 − t) b / ((1 − t) a + t |m|) to m. It is
 * T = √(1 − least²) / least at t = (b − T a) / (b − T a + T |m|).
 */
export function leaning(
  codes: Tensor<"float32">,
  labels: Int32Array,
  centers: Tensor<"float32">,
  least: number,
): Tensor<"float32"> | undefined {
  const [k, d] = centers.shape as [number, number];
  const means = meansByLabel(codes, labels, centers);
  const moved = centers.data.slice();
  const T = Math.sqrt(1 - least ** 2) / least;
  let isMoved = false;
  for (let j = 0; j < k; j++) {
    const [center, mean] = [centers, means].map(({ data }) => data.subarray(j * d, (j + 1) * d)) as [
      Float32Array,
      Float32Array,
    ];
    const length = Math.hypot(...mean);
    if (length === 0) continue;
    const a = center.reduce((sum, value, c) => sum + (value * mean[c]!) / length, 0);
    const b = Math.sqrt(Math.max(0, center.reduce((sum, value) => sum + value ** 2, 0) - a ** 2));
    const beyond = b - T * a;
    if (beyond <= 0) continue;
    isMoved = true;
    const t = beyond / (beyond + T * length);
    for (let c = 0; c < d; c++) moved[j * d + c] = center[c]! + t * (mean[c]! - center[c]!);
  }
  return isMoved ? tensor("float32", centers.shape, moved) : undefined;
}
