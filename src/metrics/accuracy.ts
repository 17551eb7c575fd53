/** The share of rows that are right, once clusters are matched with classes. */

import { leastCostAssignment } from "../numerics/leastCostAssignment.ts";
import { contingency } from "./contingency.ts";
import type { Labels } from "./labels.ts";

/**
 * ACC = max over matchings m of Σᵢ nᵢₘ₍ᵢ₎ / n: the share of rows that are right when every class is matched with at
 * most one cluster, and every cluster with at most one class, as well as possible.
 */
export function accuracy(truth: Labels, clusters: Labels): number {
  const table = contingency("accuracy", truth, clusters);
  const [rows, columns] = [table.classes.length, table.clusters.length];
  const costs = new Float64Array(rows * columns);
  for (const { i, j, count } of table.cells) costs[i * columns + j] = -count;
  let right = 0;
  leastCostAssignment(costs, rows, columns).forEach((j, i) => {
    if (j >= 0) right -= costs[i * columns + j]!;
  });
  return right / table.n;
}
