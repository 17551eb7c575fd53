/** Colors of the clusters of a second run: what matches a cluster of the first looks like it. */

import { themeColorCount } from "../../report/parts/clusterColors.ts";

/**
 * `pairs` are the clusters that match, of the first run and of the second; those of the second without a match have
 * colors that no other has, as long as there are some.
 */
export function matchedColors(
  first: ReadonlyMap<number, number>,
  pairs: readonly { readonly a: number; readonly b: number }[],
  second: readonly number[],
): Map<number, number> {
  const colors = new Map(pairs.map(({ a, b }) => [b, first.get(a) ?? 0]));
  const taken = new Set(colors.values());
  const free = Array.from({ length: themeColorCount }, (_, color) => color).filter((color) => !taken.has(color));
  const alone = second.filter((cluster) => !colors.has(cluster));
  for (const [i, cluster] of alone.entries()) colors.set(cluster, free[i] ?? i % themeColorCount);
  return colors;
}
