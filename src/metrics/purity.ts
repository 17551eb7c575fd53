/** How pure the clusters are in the classes. */

import { contingency } from "./contingency.ts";
import type { Labels } from "./labels.ts";

/** purity = Σⱼ maxᵢ nᵢⱼ / n: the share of rows that are in the most frequent class of their cluster. */
export function purity(truth: Labels, clusters: Labels): number {
  const { n, cells, clusters: b } = contingency("purity", truth, clusters);
  const largest = new Float64Array(b.length);
  for (const { j, count } of cells) largest[j] = Math.max(largest[j]!, count);
  return largest.reduce((sum, count) => sum + count, 0) / n;
}
