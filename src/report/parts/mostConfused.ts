/** Which two clusters are easily taken for one another. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";

export interface Confusion {
  readonly pair: readonly [ClusterSummary, ClusterSummary];
  /** Of the rows of the first, the share that would go to the second next; and the other way round. */
  readonly shares: readonly [number, number];
  /** The share of the rows of both that one expects on the wrong side. */
  readonly doubt: number;
}

/**
 * The two clusters between which rows are the least sure. A second choice alone is no doubt: each row has one. It
 * counts by how unsure the rows of its cluster are.
 */
export function mostConfused(clusters: readonly ClusterSummary[]): Confusion | undefined {
  const byNumber = new Map(clusters.map((cluster) => [cluster.cluster, cluster]));
  const share = (from: ClusterSummary, to: ClusterSummary): number =>
    from.neighbours.find(({ cluster }) => cluster === to.cluster)?.share ?? 0;
  let best: Confusion | undefined;
  for (const a of clusters) {
    for (const { cluster } of a.neighbours) {
      const b = byNumber.get(cluster);
      if (!b || b === a || a.size + b.size === 0) continue;
      const shares = [share(a, b), share(b, a)] as const;
      const rows = a.size * shares[0] * (1 - a.confidence.mean) + b.size * shares[1] * (1 - b.confidence.mean);
      const doubt = rows / (a.size + b.size);
      if (!best || doubt > best.doubt) best = { pair: [a, b], shares, doubt };
    }
  }
  return best;
}
