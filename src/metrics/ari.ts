/** How many pairs of rows two labelings put together or apart alike, beyond chance. */

import { contingency } from "./contingency.ts";
import type { Labels } from "./labels.ts";
import { pairs, pairsWithin, pairsWithinBoth } from "./pairs.ts";

/**
 * The adjusted Rand index (Hubert & Arabie, "Comparing partitions", Journal of Classification 2, 1985): how many pairs
 * of rows are together in both labelings, T = Σᵢⱼ C(nᵢⱼ, 2), scaled so that chance is 0 and agreement is 1,
 *
 *   ARI = (T − E) / (½(A + B) − E)   with A = Σᵢ C(aᵢ, 2), B = Σⱼ C(bⱼ, 2), E = A·B / C(n, 2).
 */
export function ari(truth: Labels, clusters: Labels): number {
  const table = contingency("ari", truth, clusters);
  // By pairs that are together in both, in one only, in neither: whole numbers, so that nothing is lost in T − E.
  const both = pairsWithinBoth(table);
  const onlyClass = pairsWithin(table.classes) - both;
  const onlyCluster = pairsWithin(table.clusters) - both;
  const neither = pairs(table.n) - both - onlyClass - onlyCluster;
  if (onlyClass === 0 && onlyCluster === 0) return 1;
  // ARI = 2(both·neither − onlyClass·onlyCluster) / (A·(C(n,2) − B) + B·(C(n,2) − A))
  return (
    (2 * (both * neither - onlyClass * onlyCluster)) /
    ((both + onlyClass) * (onlyClass + neither) + (both + onlyCluster) * (onlyCluster + neither))
  );
}
