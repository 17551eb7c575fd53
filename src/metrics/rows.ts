/** Rows of numbers and the clusters they are in, for the scores that need no truth. */

import type { Numbers } from "../numerics/distances.ts";
import { groupsOf, type Labels } from "./labels.ts";

/** n·d numbers row by row, or a tensor [n, d] of them. */
export type Rows = Numbers | { readonly data: Numbers; readonly shape: readonly number[] };

/** Row i is data[i·d] to data[i·d + d − 1], in cluster `of[i]`; cluster j has `sizes[j]` rows. */
export interface ClusteredRows {
  readonly n: number;
  readonly d: number;
  readonly data: Numbers;
  readonly of: Int32Array;
  readonly sizes: readonly number[];
}

/** The rows with their clusters, of which there are at least two, and fewer than rows. */
export function clusteredRows(where: string, rows: Rows, labels: Labels): ClusteredRows {
  const { of, sizes } = groupsOf(where, labels);
  const n = labels.length;
  const { data, shape } = "shape" in rows ? rows : { data: rows, shape: [n, rows.length / n] };
  const d = shape[1]!;
  if (shape.length !== 2 || shape[0] !== n || !Number.isInteger(d) || data.length !== n * d) {
    const got = "shape" in rows ? `shape [${shape}]` : `${data.length} numbers`;
    throw new RangeError(`${where}: ${n} labels need rows of shape [${n},d], got ${got}`);
  }
  const wrong = data.findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) {
    throw new RangeError(`${where}: rows must be finite, got ${data[wrong]} in row ${Math.floor(wrong / d)}`);
  }
  requireSeveral(where, sizes.length, n);
  return { n, d, data, of, sizes };
}

/** The given ones of the rows, in that order; they must again be of at least two clusters, and fewer than rows. */
export function takeRows(where: string, { d, data, of }: ClusteredRows, chosen: Int32Array): ClusteredRows {
  const n = chosen.length;
  const taken = data.slice(0, n * d);
  chosen.forEach((row, i) => {
    taken.set(data.subarray(row * d, (row + 1) * d), i * d);
  });
  const groups = groupsOf(
    where,
    chosen.map((row) => of[row]!),
  );
  requireSeveral(where, groups.sizes.length, n);
  return { n, d, data: taken, ...groups };
}

/** cⱼ = mean of the rows in cluster j, one after the other. */
export function clusterCenters({ n, d, data, of, sizes }: ClusteredRows): Float64Array {
  const centers = new Float64Array(sizes.length * d);
  for (let i = 0; i < n; i++) {
    const center = of[i]! * d;
    for (let c = 0; c < d; c++) centers[center + c]! += data[i * d + c]!;
  }
  return centers.map((sum, at) => sum / sizes[Math.floor(at / d)]!);
}

function requireSeveral(where: string, clusters: number, rows: number): void {
  if (clusters < 2 || clusters >= rows) {
    throw new RangeError(
      `${where}: there must be from 2 clusters to one fewer than rows (${rows}), got ${clusters} ` +
        `cluster${clusters === 1 ? "" : "s"}`,
    );
  }
}
