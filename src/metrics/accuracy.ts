import { assign } from "../numerics/hungarian.ts";
import { contingency } from "./contingency.ts";
import type { Labels } from "./labels.ts";

/**
 * ACC = max over matchings m of Σᵢ nᵢₘ₍ᵢ₎ / n: the share of rows that are right when every class is matched with at most one
 * cluster, and every cluster with at most one class, as well as possible.
 */
export function accuracy(truth: Labels, clusters: Labels): number {
  const table = contingency("accuracy", truth, clusters);
  const classesAreRows = table.classes.length <= table.clusters.length;
  const [rows, columns] = classesAreRows
    ? [table.classes.length, table.clusters.length]
    : [table.clusters.length, table.classes.length];
  const costs = new Float64Array(rows * columns);
  for (const { i, j, count } of table.cells) costs[classesAreRows ? i * columns + j : j * columns + i] = -count;
  let right = 0;
  assign(costs, rows, columns).forEach((column, row) => {
    right -= costs[row * columns + column]!;
  });
  return right / table.n;
}
