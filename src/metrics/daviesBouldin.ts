/** How wide clusters are for how far apart they lie. */

import { squaredDistance } from "../numerics/distances.ts";
import type { Labels } from "./labels.ts";
import { clusterCenters, clusteredRows, type Rows } from "./rows.ts";

/**
 * The Davies–Bouldin index ("A cluster separation measure", IEEE PAMI 1, 1979): how much each cluster overlaps with the
 * one it overlaps with most,
 *
 *   DB = 1/k Σᵢ maxⱼ≠ᵢ (Sᵢ + Sⱼ) / Mᵢⱼ,
 *
 * with Sⱼ the mean distance from the rows of cluster j to its center, and Mᵢⱼ the distance of two centers.
 * As in scikit-learn, two clusters with one center count 0, and DB is 0 if all Sⱼ or all Mᵢⱼ are at most 10⁻⁸.
 */
export function daviesBouldin(rows: Rows, labels: Labels): number {
  const clustered = clusteredRows("daviesBouldin", rows, labels);
  const { n, d, data, of, sizes } = clustered;
  const k = sizes.length;
  const centers = clusterCenters(clustered);
  const spread = new Float64Array(k);
  for (let i = 0; i < n; i++) {
    spread[of[i]!]! += Math.sqrt(squaredDistance(data, i, centers, of[i]!, d)) / sizes[of[i]!]!;
  }
  let sum = 0;
  let farthest = 0;
  let widest = 0;
  for (let i = 0; i < k; i++) {
    let worst = 0;
    for (let j = 0; j < k; j++) {
      if (j === i) continue;
      const apart = Math.sqrt(squaredDistance(centers, i, centers, j, d));
      farthest = Math.max(farthest, apart);
      if (apart > 0) worst = Math.max(worst, (spread[i]! + spread[j]!) / apart);
    }
    sum += worst;
    widest = Math.max(widest, spread[i]!);
  }
  const nothing = 1e-8;
  return farthest <= nothing || widest <= nothing ? 0 : sum / k;
}
