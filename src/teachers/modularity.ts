/**
 * Modularity: how much more often neighbours are in one cluster than they would be by chance. Newman & Girvan, 2004.
 *
 *   eⱼ  share of all ties that lie inside of cluster j
 *   aⱼ  share of the ends of ties that are in cluster j
 *   Q = Σⱼ eⱼ − aⱼ²
 */

import type { Graph } from "../numerics/neighbours/neighbourGraph.ts";

export interface Modularity {
  /** Q, below 1; 0 where all rows are in one cluster. */
  readonly value: number;
  /** 1 − Σ eⱼ: the share of ties that the partition cuts. */
  readonly cut: number;
}

/** Of a partition of the graph's rows; a row that belongs to none is in a cluster of its own. */
export function modularityOf({ starts, rows, weights }: Graph, labels: ArrayLike<number>): Modularity {
  const ends = new Map<number, number>();
  let [total, inside, alone] = [0, 0, 0];
  for (let i = 0; i < starts.length - 1; i++) {
    const own = labels[i]!;
    let degree = 0;
    for (let at = starts[i]!; at < starts[i + 1]!; at++) {
      degree += weights[at]!;
      if (own >= 0 && own === labels[rows[at]!]) inside += weights[at]!;
    }
    total += degree;
    if (own < 0) alone += degree * degree;
    else ends.set(own, (ends.get(own) ?? 0) + degree);
  }
  if (total === 0) return { value: 0, cut: 0 };
  let chance = alone / (total * total);
  for (const degree of ends.values()) chance += (degree / total) ** 2;
  return { value: inside / total - chance, cut: 1 - inside / total };
}
