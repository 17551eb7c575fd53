/**
 * Clusters of several centers, as a person makes them who merges some (docs/curation.md).
 *
 *   d, p  distances and probabilities of the m centers, [n, m]
 *   Gc    the centers of cluster c; every center is of one cluster, and the first of them leads: it is shown for it
 *   D, P  distances and probabilities of the clusters, [n, k]
 */

import { concatenate, gatherRows, slice, transpose } from "../graph/arrange.ts";
import { negate } from "../graph/elementwise.ts";
import { constant, type Node } from "../graph/node.ts";
import { type Along, max, sum } from "../graph/reduce.ts";
import { fromNumbers } from "../tensor/tensor.ts";

/** Of each cluster its centers, the leading one first. */
export type Members = readonly (readonly number[])[];

/** Of a plan: its centers are `clusters`, as the method has them. */
export interface Centers {
  readonly clusters: number;
  /** Without it, every center is a cluster of its own. */
  readonly members?: Members;
}

/** How many clusters the centers of a plan make up. */
export function clusterCount({ clusters, members }: Centers): number {
  return members?.length ?? clusters;
}

/** The center that is shown for a cluster. */
export function leadingCenter({ members }: Centers, cluster: number): number {
  return members?.[cluster]?.[0] ?? cluster;
}

/** Whether every center, from 0 to below `clusters`, is in one cluster and in no other. */
export function areMembers({ clusters, members = [] }: Centers): boolean {
  const seen = new Set(members.flat());
  const count = members.reduce((total, { length }) => total + length, 0);
  const isEach = Array.from({ length: clusters }, (_, center) => seen.has(center)).every(Boolean);
  return isEach && count === clusters && seen.size === clusters && members.every(({ length }) => length > 0);
}

/** Dc = min dⱼ over j in Gc. */
export function leastDistances(d: Node, members: Members | undefined): Node {
  return members ? negate(byCluster(negate(d), members, max)) : d;
}

/** Pc = Σ pⱼ over j in Gc. */
export function summedProbabilities(p: Node, members: Members | undefined): Node {
  return members ? byCluster(p, members, sum) : p;
}

/**
 * [n, m] to [n, k]: the centers in the order of their clusters, then each cluster of several as one, and those between
 * as they are.
 */
function byCluster(x: Node, members: Members, reduce: (x: Node, along: Along) => Node): Node {
  const order = members.flat();
  const rows = gatherRows(transpose(x), constant(fromNumbers("int64", [order.length], order)));
  const parts: Node[] = [];
  let [begun, at] = [0, 0];
  const alone = (): void => {
    if (begun < at) parts.push(slice(rows, 0, begun, at));
  };
  for (const { length } of members) {
    if (length > 1) {
      alone();
      parts.push(reduce(slice(rows, 0, at, at + length), { axes: [0], keep: true }));
      begun = at + length;
    }
    at += length;
  }
  alone();
  return transpose(concatenate(parts, 0));
}
