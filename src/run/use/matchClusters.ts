/** Clusters of one labeling matched with those of another, as well as possible. */

import { leastCostAssignment } from "../../numerics/leastCostAssignment.ts";

export interface Pairing {
  /** Of each cluster of a, the cluster of b, or −1. */
  readonly partner: Int32Array;
  /** How many rows are in cluster i of a and j of b, at i·kB + j. */
  readonly counts: Float64Array;
  readonly sizes: { readonly a: Float64Array; readonly b: Float64Array };
}

/** One to one, so that as many rows as possible are in matched clusters; clusters without a common row stay alone. */
export function matchClusters(a: Int32Array, b: Int32Array, clustersA: number, clustersB: number): Pairing {
  const counts = new Float64Array(clustersA * clustersB);
  const sizes = { a: new Float64Array(clustersA), b: new Float64Array(clustersB) };
  for (let row = 0; row < a.length; row++) {
    counts[a[row]! * clustersB + b[row]!]!++;
    sizes.a[a[row]!]!++;
    sizes.b[b[row]!]!++;
  }
  const costs = counts.map((count) => -count);
  const partner = leastCostAssignment(costs, clustersA, clustersB).map((j, i) =>
    j >= 0 && counts[i * clustersB + j]! > 0 ? j : -1,
  );
  return { partner, counts, sizes };
}
