/**
 * Spectral clustering as published: the affinity is full, and falls off with the distance (beside `spectral`, which
 * goes by neighbours alone).
 * Ng, Jordan & Weiss, 2001.
 *
 *   Wᵢⱼ = exp(−‖xᵢ − xⱼ‖² / 2σ²), Wᵢᵢ = 0
 */

import { transposed } from "../../numerics/matrix.ts";
import { quantileOf } from "../../numerics/quantiles.ts";
import { number } from "../../options.ts";
import { takeRows } from "../../tensor/tensor.ts";
import { teacher } from "../teacher.ts";
import { divideAffinity, fullProduct, mostRows } from "./affinity.ts";
import { nearestOf, squaresOf, standing } from "./nearest.ts";

const options = {
  sigma: number("σ, as a multiple of how far the 7th nearest row is in the middle of 500 rows.", 0.5, { from: 1e-3 }),
} as const;

/** How far is near: so many rows say it by their 7th nearest. */
const asked = { rows: 500, nearest: 7 };

export const njw = teacher({
  name: "njw",
  about: "Clusters of any form, and all pairs of rows: k-means of the first eigenvectors of a Gaussian affinity.",
  paper: "Ng, Jordan & Weiss, On spectral clustering: analysis and an algorithm, NIPS 14, 2001",
  clusters: "told",
  most: mostRows,
  options,
  async divide(rows, work) {
    const { random, pace, multiply } = work;
    const x = standing(rows);
    const some = takeRows(x, random.permutation(x.shape[0]!).subarray(0, asked.rows));
    // The row itself is the nearest of all.
    const { distances, count } = await nearestOf(some, x, asked.nearest + 1, multiply, pace);
    const far = Float64Array.from({ length: some.shape[0]! }, (_, i) => distances[(i + 1) * count - 1]!).sort();
    const sigma = work.options.sigma * (quantileOf(far, 0.5) || far.at(-1)! || 1);
    const squares = squaresOf(x);
    const affinity = (product: number, i: number, j: number): number =>
      i === j ? 0 : gaussian(squares[i]! + squares[j]! - 2 * product, sigma);
    return divideAffinity(await fullProduct(x, transposed(x), affinity, multiply, pace), work);
  },
});

/** exp(−d²/2σ²) of a squared distance. */
export function gaussian(squared: number, sigma: number): number {
  return Math.exp(-Math.max(0, squared) / (2 * sigma * sigma));
}
