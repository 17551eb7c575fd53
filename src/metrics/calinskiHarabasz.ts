/** The variance between clusters over the variance within them. */

import { squaredDistance } from "../numerics/distances.ts";
import type { Labels } from "./labels.ts";
import { clusterCenters, clusteredRows, type Rows } from "./rows.ts";

/**
 * The variance ratio (Caliński & Harabasz, "A dendrite method for cluster analysis", Communications in Statistics 3,
 * 1974),
 *
 *   CH = (B / (k − 1)) / (W / (n − k)),
 *
 * with B = Σⱼ bⱼ‖cⱼ − c‖² between the k centers cⱼ and the mean c of all rows, and W = Σᵢ ‖xᵢ − cⱼ₍ᵢ₎‖² within the
 * clusters. Where W is 0, it is 1, as in scikit-learn.
 */
export function calinskiHarabasz(rows: Rows, labels: Labels): number {
  const clustered = clusteredRows("calinskiHarabasz", rows, labels);
  const { n, d, data, of, sizes } = clustered;
  const k = sizes.length;
  const centers = clusterCenters(clustered);
  const mean = clusterCenters({ ...clustered, of: new Int32Array(n), sizes: [n] });
  let between = 0;
  for (let j = 0; j < k; j++) between += sizes[j]! * squaredDistance(centers, j, mean, 0, d);
  let within = 0;
  for (let i = 0; i < n; i++) within += squaredDistance(data, i, centers, of[i]!, d);
  return within === 0 ? 1 : between / (k - 1) / (within / (n - k));
}
