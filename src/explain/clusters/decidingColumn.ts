/** Whether one column alone decides which cluster a row is in: often a flag or a leftover, and seldom what is meant. */

import type { Feature } from "../../data/feature.ts";
import { percent } from "../../text/shares.ts";
import type { ClusterSummary } from "./clusterSummary.ts";

export interface DecidingColumn {
  readonly column: string;
  /** η² = Σⱼ nⱼ(μⱼ − μ)² / Σ(x − μ)²: the share of the column's variance that the clusters tell, 0 to 1. */
  readonly share: number;
  /** The column of which they tell most after it. */
  readonly next: { readonly column: string; readonly share: number };
}

/** From here on a column is decided by the clusters, and they by it if they tell so much less of any other. */
const [leastShare, lead] = [0.75, 3];

/** None where there is one column only, or one cluster. */
export function decidingColumn(
  summaries: readonly ClusterSummary[],
  features: readonly Pick<Feature, "column">[],
): DecidingColumn | undefined {
  const clusters = summaries.filter(({ size }) => size > 0);
  const rows = clusters.reduce((sum, { size }) => sum + size, 0);
  if (clusters.length < 2 || clusters[0]!.mean.length !== features.length) return undefined;
  const parts = new Map<string, { between: number; within: number }>();
  for (const [i, { column }] of features.entries()) {
    const mean = clusters.reduce((sum, { size, mean }) => sum + size * mean[i]!, 0) / rows;
    const part = parts.get(column) ?? { between: 0, within: 0 };
    for (const { size, mean: own, deviation = [] } of clusters) {
      part.between += size * (own[i]! - mean) ** 2;
      part.within += size * (deviation[i] ?? 0) ** 2;
    }
    parts.set(column, part);
  }
  const shares = [...parts].map(([column, { between, within }]) => ({
    column,
    share: between + within > 0 ? between / (between + within) : 0,
  }));
  const [first, next] = shares.sort((a, b) => b.share - a.share);
  if (!first || !next || first.share < leastShare || first.share < lead * next.share) return undefined;
  return { ...first, next };
}

/** For people, as a notice. */
export function decidingWords({ column, share, next }: DecidingColumn): string {
  return `the clusters follow one column, ${column}: they tell ${percent(share)} of its variance, and of the next, ${next.column}, ${percent(next.share)}; --ignore ${/[\s,"']/.test(column) ? `"${column}"` : column} shows what else there is`;
}
