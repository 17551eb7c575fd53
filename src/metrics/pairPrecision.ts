/** How many of the pairs that share a cluster also share a class. */

import { contingency } from "./contingency.ts";
import type { Labels } from "./labels.ts";
import { pairsWithin, pairsWithinBoth } from "./pairs.ts";

/**
 * Σᵢⱼ C(nᵢⱼ, 2) / Σⱼ C(bⱼ, 2): of the pairs of rows that share a cluster, the share that also share a class.
 *
 * Chance level is the share for any pair of rows, about Σᵢ (aᵢ/n)². Where no two rows share a cluster, no pair is
 * wrong: 1.
 */
export function pairPrecision(truth: Labels, clusters: Labels): number {
  const table = contingency("pairPrecision", truth, clusters);
  const together = pairsWithin(table.clusters);
  return together === 0 ? 1 : pairsWithinBoth(table) / together;
}
