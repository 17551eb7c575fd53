/**
 * The nearest rows of rows by looking at all pairs, block against block: for rows of so many columns that no tree
 * helps.
 */

import type { Tensor } from "../../tensor/tensor.ts";
import type { Pace } from "../pace.ts";
import type { NearestLists } from "./nearestLists.ts";

/**
 * So many numbers of the queries, and of the rows they are compared with, are at hand at a time: they stay near the
 * processor.
 */
const blockNumbers = 2 ** 15;

/** Columns between two looks at whether the four rows are too far already. */
const stretch = 32;

/** Fills the list of each query; with `own`, the queries are the rows, and none is in its own list. */
export async function compareAllPairs(
  queries: Tensor<"float32">,
  rows: Tensor<"float32">,
  lists: NearestLists,
  own: boolean,
  pace: Pace,
): Promise<void> {
  const [n, d] = rows.shape as [number, number];
  const block = 4 * Math.max(1, Math.floor(blockNumbers / d / 4));
  const last = lists.count - 1;
  const values = new Float64Array(d);
  const squared = new Float64Array(4);
  for (let top = 0; top < queries.shape[0]!; top += block) {
    for (let left = 0; left < n; left += block) {
      await pace();
      const right = Math.min(n, left + block);
      for (let i = top; i < Math.min(queries.shape[0]!, top + block); i++) {
        values.set(queries.data.subarray(i * d, (i + 1) * d));
        for (let j = left; j < right; j += 4) {
          const farthest = lists.squared[i * lists.count + last]!;
          distancesToFour(values, rows.data, j, n - 1, squared, farthest);
          for (let four = 0; four < 4 && j + four < right; four++) {
            if (squared[four]! <= farthest && !(own && j + four === i)) lists.offer(i, squared[four]!, j + four);
          }
        }
      }
    }
  }
}

/**
 * Σ (x − yⱼ)² for the four rows from j on, in the order of the columns. Four sums do not wait for each other, which
 * makes them twice as fast as one after the other. Once all four are above the bound they are left as they are: they
 * only grow.
 */
function distancesToFour(
  x: Float64Array,
  rows: Float32Array,
  j: number,
  lastRow: number,
  squared: Float64Array,
  bound: number,
): void {
  const d = x.length;
  const [a, b, c, e] = [
    j * d,
    Math.min(lastRow, j + 1) * d,
    Math.min(lastRow, j + 2) * d,
    Math.min(lastRow, j + 3) * d,
  ];
  let [sumA, sumB, sumC, sumE] = [0, 0, 0, 0];
  for (let at = 0; at < d && !(sumA > bound && sumB > bound && sumC > bound && sumE > bound); ) {
    for (const end = Math.min(d, at + stretch); at < end; at++) {
      const value = x[at]!;
      const toA = value - rows[a + at]!;
      const toB = value - rows[b + at]!;
      const toC = value - rows[c + at]!;
      const toE = value - rows[e + at]!;
      sumA += toA * toA;
      sumB += toB * toB;
      sumC += toC * toC;
      sumE += toE * toE;
    }
  }
  squared[0] = sumA;
  squared[1] = sumB;
  squared[2] = sumC;
  squared[3] = sumE;
}
