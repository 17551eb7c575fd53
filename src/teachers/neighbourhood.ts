/** How teachers that look at neighbours choose how many, and how they are searched for. */

import { NeighbourSearch, type Neighbours, treeColumns } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** An exact search in rows too wide for a tree may make so many differences of numbers: about a minute. */
const differences = 2 ** 36;

/** Whether a search may miss neighbours: only in rows of more than 16 columns that are also very many. */
function mayMiss({ shape }: Tensor<"float32">): boolean {
  const [n, d] = shape as [number, number];
  return d > treeColumns && n * n * d > differences;
}

/**
 * As many neighbours as were asked for, and in few rows no more than half of a cluster of mean size: a row's neighbours
 * are to be of its own cluster. Two at least.
 */
export function neighboursIn({ shape }: Tensor<"float32">, asked: number, clusters: number): number {
  return Math.max(2, Math.min(asked, Math.floor(shape[0]! / (2 * clusters))));
}

export async function neighboursOf(rows: Tensor<"float32">, count: number, pace: Pace): Promise<Neighbours> {
  const search = await NeighbourSearch.among(rows, pace, { approximate: mayMiss(rows) });
  return search.ofEach(count, pace);
}

/** The share of a row's neighbours by one that are neighbours by the other too, over all rows. */
export function sharedNeighbours(one: Neighbours, other: Neighbours): number {
  const { count, rows } = one;
  let both = 0;
  for (let start = 0; start < rows.length; start += count) {
    const near = new Set(rows.subarray(start, start + count));
    for (let at = start; at < start + count; at++) if (near.has(other.rows[at]!)) both++;
  }
  return rows.length === 0 ? 1 : both / rows.length;
}
