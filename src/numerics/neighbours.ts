/** The nearest rows of each row among codes. */

import type { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { takeRows } from "../tensor/tensor.ts";
import { squaredDistance } from "./distances.ts";
import { kmeans, lloyd } from "./kmeans.ts";

/** Cells are searched one by one, from the nearest, until this many rows have been seen, or this many for each neighbour that is wanted. */
const seen = { atLeast: 2000, perNeighbour: 200 };

/**
 * The positions of the `count` nearest rows of each row, [n, count], the row itself left out.
 *
 * Rows are sorted into about √n cells by k-means, and a row looks only into the cells nearest to its own: almost all of its neighbours are there,
 * and the work grows with n·√n instead of n². With few rows there is one cell, and the result is exact.
 */
export function neighbours(codes: Tensor<"float32">, count: number, random: Random): Int32Array {
  const [n, d] = codes.shape as [number, number];
  const wanted = Math.min(count, n - 1);
  const cells = n <= 4000 ? 1 : Math.round(Math.sqrt(n) / 2);
  const sample = n > 20 * cells ? takeRows(codes, random.permutation(n).subarray(0, 20 * cells)) : codes;
  const { centers } = kmeans(sample, cells, random, { restarts: 1, iterations: 10 });
  const members = membersOf(codes, centers);
  const order = cellsByDistance(centers);
  const found = new Int32Array(n * count).fill(-1);
  const best = new Float64Array(wanted);
  members.forEach((rows, cell) => {
    const candidates = enough(members, order[cell]!, Math.max(seen.atLeast, wanted * seen.perNeighbour));
    for (const row of rows) {
      const own = found.subarray(row * count, row * count + wanted);
      best.fill(Number.POSITIVE_INFINITY);
      for (const other of candidates) {
        if (other === row) continue;
        const distance = squaredDistance(codes.data, row, codes.data, other, d);
        if (distance < best[wanted - 1]!) insert(best, own, distance, other);
      }
    }
  });
  return found;
}

/** For each cell, all cells from the nearest to the farthest; itself first. */
function cellsByDistance({ data, shape }: Tensor<"float32">): number[][] {
  const [k, d] = shape as [number, number];
  return Array.from({ length: k }, (_, i) => {
    const distances = Float64Array.from({ length: k }, (_, j) => squaredDistance(data, i, data, j, d));
    return Array.from({ length: k }, (_, j) => j).sort((a, b) => distances[a]! - distances[b]!);
  });
}

/** The rows of the nearest cells, at least so many if there are. */
function enough(members: readonly number[][], cells: readonly number[], wanted: number): Int32Array {
  const rows: number[] = [];
  for (const cell of cells) {
    if (rows.length >= wanted) break;
    const here = members[cell]!;
    // A cell may hold very many rows, such as all that are equal: evenly spaced ones stand for them.
    const every = Math.max(1, Math.floor(here.length / (2 * wanted)));
    for (let i = 0; i < here.length; i += every) rows.push(here[i]!);
  }
  return Int32Array.from(rows);
}

/** Keeps the shortest distances in order, and the rows that have them. */
function insert(best: Float64Array, rows: Int32Array, distance: number, row: number): void {
  let at = best.length - 1;
  while (at > 0 && best[at - 1]! > distance) {
    best[at] = best[at - 1]!;
    rows[at] = rows[at - 1]!;
    at--;
  }
  best[at] = distance;
  rows[at] = row;
}

function membersOf(codes: Tensor<"float32">, centers: Tensor<"float32">): number[][] {
  const { labels } = lloyd(codes, centers, { iterations: 0 });
  const members: number[][] = Array.from({ length: centers.shape[0]! }, () => []);
  labels.forEach((cell, row) => {
    members[cell]!.push(row);
  });
  return members;
}
