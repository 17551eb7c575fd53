/**
 * How well a partition keeps neighbours together, in two ways.
 *
 *   eⱼ  share of all ties that lie inside of cluster j
 *   aⱼ  share of the ends of ties that are in cluster j
 *   A = 1/k Σⱼ eⱼ/aⱼ  association: 1 − (normalized cut)/k, Shi & Malik, 2000. Each cluster counts alike, large or small
 *   Q = Σⱼ eⱼ − aⱼ²   modularity: what is more than chance, Newman & Girvan, 2004. It prefers clusters of one size
 */

import type { Graph } from "../numerics/neighbours/neighbourGraph.ts";

export interface Togetherness {
  /** From 0 to 1: 1 where no tie is cut. */
  readonly association: number;
  /** Below 1; 0 where all rows are in one cluster. */
  readonly modularity: number;
}

/** Of a partition of the graph's rows; rows that belong to none are together in no cluster. */
export function togethernessOf({ starts, rows, weights }: Graph, labels: ArrayLike<number>): Togetherness {
  const [inside, ends] = [new Map<number, number>(), new Map<number, number>()];
  const add = (to: Map<number, number>, label: number, weight: number) => to.set(label, (to.get(label) ?? 0) + weight);
  let total = 0;
  for (let i = 0; i < starts.length - 1; i++) {
    const own = labels[i]!;
    let [degree, within] = [0, 0];
    for (let at = starts[i]!; at < starts[i + 1]!; at++) {
      degree += weights[at]!;
      if (own === labels[rows[at]!]) within += weights[at]!;
    }
    total += degree;
    if (own < 0) continue;
    add(inside, own, within);
    add(ends, own, degree);
  }
  let [association, modularity] = [0, 0];
  for (const [label, a] of ends) {
    if (a === 0) continue;
    const e = inside.get(label)!;
    association += e / a / ends.size;
    modularity += e / total - (a / total) ** 2;
  }
  return { association, modularity };
}
