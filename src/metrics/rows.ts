/** Rows of numbers and the clusters they are in, for the scores that need no truth. */

import type { Numbers } from "../numerics/distances.ts";
import { sumsByLabel } from "../numerics/sumsByLabel.ts";
import { takeRows, tensor } from "../tensor/tensor.ts";
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
export function chosenRows(where: string, { n, d, data, of }: ClusteredRows, chosen: Int32Array): ClusteredRows {
  const all = data instanceof Float32Array ? tensor("float32", [n, d], data) : tensor("float64", [n, d], data);
  const groups = groupsOf(
    where,
    chosen.map((row) => of[row]!),
  );
  requireSeveral(where, groups.sizes.length, chosen.length);
  return { n: chosen.length, d, data: takeRows(all, chosen).data, ...groups };
}

/** cⱼ = mean of the rows in cluster j, one after the other. */
export function clusterCenters({ d, data, of, sizes }: ClusteredRows): Float64Array {
  const { sums } = sumsByLabel(data, d, of, sizes.length);
  return sums.map((sum, at) => sum / sizes[Math.floor(at / d)]!);
}

function requireSeveral(where: string, clusters: number, rows: number): void {
  if (clusters < 2 || clusters >= rows) {
    throw new RangeError(
      `${where}: there must be from 2 clusters to one fewer than rows (${rows}), got ${clusters} ` +
        `cluster${clusters === 1 ? "" : "s"}`,
    );
  }
}
