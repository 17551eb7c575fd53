/** Pairs of rows: how many there are, and how many the two labelings put together. */

import type { Contingency } from "./contingency.ts";

/** C(m, 2) = m·(m − 1)/2, exact up to 94 million rows. */
export function pairs(m: number): number {
  return (m * (m - 1)) / 2;
}

/** Σ C(m, 2) over groups of m rows: the pairs that are together. */
export function pairsWithin(sizes: readonly number[]): number {
  return sizes.reduce((sum, m) => sum + pairs(m), 0);
}

/** Σᵢⱼ C(nᵢⱼ, 2): the pairs that are together in both labelings. */
export function pairsWithinBoth({ cells }: Contingency): number {
  return cells.reduce((sum, { count }) => sum + pairs(count), 0);
}
