/**
 * Low-rank subspace clustering: each row as a sum of rows, by as few directions as explain them.
 * Favaro, Vidal & Ravichandran, 2011; Vidal & Favaro, 2014.
 *
 *   X  rows of length 1, the paper's columns      C  who is made of whom [n, n], symmetric      τ  weight of the error
 *
 *   min ‖C‖_* + τ/2 ‖X − XC‖², C = Cᵀ
 */

import { number } from "../../options.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { axes, type Expressed, ofSingularValues, type Products, selfExpressive } from "./selfExpression.ts";

export const lrsc = selfExpressive({
  name: "lrsc",
  about: "Clusters that lie in subspaces: each row by few directions of all of them, in closed form.",
  paper: "Vidal & Favaro, Low rank subspace clustering (LRSC), Pattern Recognition Letters 43, 2014",
  options: {
    tau: number("τ‖X‖², the weight of the error, where ‖X‖ is the largest singular value.", 100, { from: 1 }),
    axes: axes(0),
  },
  affinity: (expressed, work) => lowRankAffinity(expressed, work.options.tau / (expressed.sigma[0] ?? 1) ** 2, work),
});

/** C = V (1 − 1/τσ²)₊ Vᵀ, and W = |C|: directions with σ ≤ 1/√τ are left out. */
export function lowRankAffinity(expressed: Expressed, tau: number, work: Products): Promise<Tensor<"float32">> {
  return ofSingularValues(expressed, (sigma) => Math.max(0, 1 - 1 / (tau * sigma ** 2)), Math.abs, work);
}
