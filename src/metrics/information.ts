/** What one labeling tells, and what it tells about another, in nats. */

import type { Contingency } from "./contingency.ts";

/** H = Σ m/n · ln(n/m) over groups of m of the n rows. */
export function entropy(sizes: readonly number[], n: number): number {
  return sizes.reduce((sum, m) => sum + (m / n) * Math.log(n / m), 0);
}

/** I = Σᵢⱼ nᵢⱼ/n · ln(n·nᵢⱼ / (aᵢ·bⱼ)), which is from 0 to the smaller of the two entropies. */
export function mutualInformation({ n, cells, classes, clusters }: Contingency): number {
  const information = cells.reduce(
    (sum, { i, j, count }) => sum + (count / n) * Math.log((n * count) / (classes[i]! * clusters[j]!)),
    0,
  );
  // Rounding must not carry a score beyond its bounds.
  return Math.min(Math.max(information, 0), entropy(classes, n), entropy(clusters, n));
}
