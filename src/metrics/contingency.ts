/**
 * The table of two labelings, from which every score that compares them is computed.
 *
 *   n    rows                               `n`
 *   nᵢⱼ  rows of class i in cluster j        `cells`, those that are not 0
 *   aᵢ   rows of class i, Σⱼ nᵢⱼ             `classes`
 *   bⱼ   rows of cluster j, Σᵢ nᵢⱼ           `clusters`
 */

import { groupsOf, type Labels } from "./labels.ts";

export interface Cell {
  readonly i: number;
  readonly j: number;
  /** nᵢⱼ, at least 1. */
  readonly count: number;
}

export interface Contingency {
  readonly n: number;
  readonly cells: readonly Cell[];
  readonly classes: readonly number[];
  readonly clusters: readonly number[];
}

/** The table in O(n) time and memory, however many classes and clusters there are. */
export function contingency(where: string, truth: Labels, clusters: Labels): Contingency {
  if (truth.length !== clusters.length) {
    throw new RangeError(
      `${where}: the two labelings must be of equal length, got ${truth.length} and ${clusters.length}`,
    );
  }
  const a = groupsOf(where, truth);
  const b = groupsOf(where, clusters);
  const cells = new Map<number, { i: number; j: number; count: number }>();
  for (let row = 0; row < truth.length; row++) {
    const [i, j] = [a.of[row]!, b.of[row]!];
    const at = i * b.sizes.length + j;
    const cell = cells.get(at);
    if (cell) cell.count++;
    else cells.set(at, { i, j, count: 1 });
  }
  return { n: truth.length, cells: [...cells.values()], classes: a.sizes, clusters: b.sizes };
}

/** Whether the two labelings are the same but for the names: every class is one cluster and every cluster one class. */
export function sameGroups({ cells, classes, clusters }: Contingency): boolean {
  return cells.length === classes.length && cells.length === clusters.length;
}
