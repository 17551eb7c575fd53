/**
 * Agglomerative clustering: every row a cluster, and the two that are nearest become one, until k are left.
 * Ward, 1963; average and weighted: Sokal & Michener, 1958. By chains of nearest neighbours: Murtagh, 1983.
 *
 *   dᵢⱼ  how far clusters i and j are apart: between rows ‖x − y‖, for Ward ‖x − y‖²
 *   nᵢ   how many rows cluster i has
 */

import { squaredDistance } from "../numerics/distances.ts";
import type { Pace } from "../numerics/pace.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Teacher, teacher } from "./teacher.ts";

/** Two clusters that became one, each named by the number of one of its rows, and how far they were apart. */
export interface Merge {
  readonly one: number;
  readonly other: number;
  readonly height: number;
}

interface Linkage {
  /** Whether d is squared. */
  readonly isSquared: boolean;
  /** d₍ᵢⱼ₎ₖ of the union of i and j from any other k (Lance & Williams, 1967). */
  apart(dik: number, djk: number, dij: number, ni: number, nj: number, nk: number): number;
}

export type LinkageName = "ward" | "average" | "weighted";

const linkages: Readonly<Record<LinkageName, Linkage>> = {
  // ((nᵢ + nₖ)dᵢₖ + (nⱼ + nₖ)dⱼₖ − nₖdᵢⱼ) / (nᵢ + nⱼ + nₖ)
  ward: {
    isSquared: true,
    apart: (dik, djk, dij, ni, nj, nk) => ((ni + nk) * dik + (nj + nk) * djk - nk * dij) / (ni + nj + nk),
  },
  // (nᵢdᵢₖ + nⱼdⱼₖ) / (nᵢ + nⱼ)
  average: { isSquared: false, apart: (dik, djk, _, ni, nj) => (ni * dik + nj * djk) / (ni + nj) },
  // (dᵢₖ + dⱼₖ) / 2
  weighted: { isSquared: false, apart: (dik, djk) => (dik + djk) / 2 },
};

/**
 * Each pair of rows has a distance: 400 MB for so many rows, and seconds. Twice as many would have four times of both,
 * for everybody with more rows than that, as the automatic choice among teachers takes Ward's by itself.
 */
const most = 10_000;

function agglomerative(name: LinkageName, about: string, paper: string): Teacher {
  return teacher({
    name,
    about,
    paper,
    clusters: "told",
    most,
    divide: async (rows, { clusters, pace }) => ({
      labels: cut(await mergesOf(rows, name, pace), rows.shape[0]!, clusters),
    }),
  });
}

export const ward = agglomerative(
  "ward",
  "Round clusters of unequal size: joins the two clusters whose union has the smallest growth of squares.",
  "Ward, Hierarchical grouping to optimize an objective function, JASA 58, 1963",
);

export const average = agglomerative(
  "average",
  "Clusters with far rows beside them: joins the two whose rows are nearest on average, and leaves outliers alone.",
  "Sokal & Michener, A statistical method for evaluating systematic relationships, 1958",
);

export const weighted = agglomerative(
  "weighted",
  "As average, with each half of a cluster counted alike, however few rows it has: for very unequal densities.",
  "Sokal & Michener, A statistical method for evaluating systematic relationships, 1958",
);

/** All n − 1 merges, the lowest first; of equally high ones, in the order in which they were found. */
export async function mergesOf(rows: Tensor<"float32">, name: LinkageName, pace: Pace): Promise<Merge[]> {
  const n = rows.shape[0]!;
  const { isSquared, apart } = linkages[name];
  const d = await distancesOf(rows, isSquared, pace);
  const sizes = new Float64Array(n).fill(1);
  // Clusters that are left, each at the place of one of its rows.
  const left = Int32Array.from({ length: n }, (_, i) => i);
  let count = n;
  const merges: Merge[] = [];
  const chain: number[] = [];
  while (count > 1) {
    await pace();
    if (chain.length === 0) chain.push(left[0]!);
    // From each cluster to its nearest, until two are nearest to each other: no later merge can come between them.
    const [before, i] = [chain.at(-2), chain.at(-1)!];
    let [j, dij] = before === undefined ? [-1, Number.POSITIVE_INFINITY] : [before, d[pair(i, before)]!];
    for (let at = 0; at < count; at++) {
      const k = left[at]!;
      if (k !== i && d[pair(i, k)]! < dij) [j, dij] = [k, d[pair(i, k)]!];
    }
    if (j !== before) {
      chain.push(j);
      continue;
    }
    chain.length -= 2;
    // The union has the place of j; i goes.
    const gone = left.subarray(0, count).indexOf(i);
    left.copyWithin(gone, gone + 1, count--);
    for (let at = 0; at < count; at++) {
      const k = left[at]!;
      if (k !== j) d[pair(j, k)] = apart(d[pair(i, k)]!, d[pair(j, k)]!, dij, sizes[i]!, sizes[j]!, sizes[k]!);
    }
    sizes[j]! += sizes[i]!;
    merges.push({ one: i, other: j, height: isSquared ? Math.sqrt(Math.max(0, dij)) : dij });
  }
  return merges.sort((a, b) => a.height - b.height);
}

/** Where the distance of two different rows is kept: each pair once. */
function pair(i: number, j: number): number {
  return i > j ? (i * (i - 1)) / 2 + j : (j * (j - 1)) / 2 + i;
}

async function distancesOf({ data, shape }: Tensor<"float32">, isSquared: boolean, pace: Pace): Promise<Float64Array> {
  const [n, width] = shape as [number, number];
  const d = new Float64Array((n * (n - 1)) / 2);
  for (let i = 0, at = 0; i < n; i++) {
    await pace();
    for (let j = 0; j < i; j++, at++) {
      const squared = squaredDistance(data, i, data, j, width);
      d[at] = isSquared ? squared : Math.sqrt(squared);
    }
  }
  return d;
}

/** The k clusters that are left after the n − k lowest merges. */
export function cut(merges: readonly Merge[], n: number, k: number): Int32Array {
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const rootOf = (row: number): number => {
    while (parent[row] !== row) {
      parent[row] = parent[parent[row]!]!;
      row = parent[row]!;
    }
    return row;
  };
  for (const { one, other } of merges.slice(0, n - k)) parent[rootOf(one)] = rootOf(other);
  return parent.map((_, row) => rootOf(row));
}
