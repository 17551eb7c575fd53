/**
 * Least squares regression: each row as the sum of rows with the smallest squares.
 * Lu, Min, Zhao, Zhu, Huang & Yan, 2012. LSR1 forbids a row to express itself, LSR2 does not.
 *
 *   X  rows of length 1 [n, d], the paper's columns      Z  who is made of whom [n, n]      λ  weight of the squares
 *   H  XᵀX(XᵀX + λ)⁻¹ in the paper's X, here V σ²/(σ² + λ) Vᵀ (selfExpression.ts)
 */

import { number } from "../../options.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { axes, type Expressed, ofSingularValues, type Products, selfExpressive } from "./selfExpression.ts";

const paper =
  "Lu, Min, Zhao, Zhu, Huang & Yan, Robust and efficient subspace segmentation via least squares regression, ECCV 2012";

const about = (how: string): string =>
  `Clusters that lie in subspaces: least squares of the rows by each other, ${how}.`;

export const lsr1 = selfExpressive({
  name: "lsr1",
  about: about("none by itself"),
  paper,
  options: { lambda: number("λ, the weight of the squares.", 1e-3, { from: 1e-9 }), axes: axes(0) },
  affinity: (expressed, work) => withoutItself(expressed, work.options.lambda, work),
});

export const lsr2 = selfExpressive({
  name: "lsr2",
  about: about("itself among them"),
  paper,
  options: { lambda: number("λ, the weight of the squares.", 4e-3, { from: 1e-9 }), axes: axes(0) },
  affinity: (expressed, work) => withItself(expressed, work.options.lambda, work),
});

/** min ‖X − XZ‖² + λ‖Z‖², Zⱼⱼ = 0: Zᵢⱼ = Hᵢⱼ/(1 − Hⱼⱼ), and W = (|Z| + |Zᵀ|)/2. */
export function withoutItself(expressed: Expressed, lambda: number, work: Products): Promise<Tensor<"float32">> {
  const rest = leverages(expressed, lambda).map((h) => 1 / Math.max(1 - h, 1e-6));
  const weight = (h: number, i: number, j: number): number => (i === j ? 0 : (Math.abs(h) * (rest[i]! + rest[j]!)) / 2);
  return ofSingularValues(expressed, (sigma) => shrunk(sigma, lambda), weight, work);
}

/** min ‖X − XZ‖² + λ‖Z‖²: Z = H, and W = |H|. */
export function withItself(expressed: Expressed, lambda: number, work: Products): Promise<Tensor<"float32">> {
  return ofSingularValues(expressed, (sigma) => shrunk(sigma, lambda), Math.abs, work);
}

/** σ²/(σ² + λ). */
function shrunk(sigma: number, lambda: number): number {
  return sigma ** 2 / (sigma ** 2 + lambda);
}

/** Hⱼⱼ = Σₐ Vⱼₐ² σₐ²/(σₐ² + λ). */
function leverages({ v, sigma }: Expressed, lambda: number): Float64Array {
  const [n, r] = v.shape as [number, number];
  const h = new Float64Array(n);
  for (let j = 0; j < n; j++) for (let a = 0; a < r; a++) h[j]! += v.data[j * r + a]! ** 2 * shrunk(sigma[a]!, lambda);
  return h;
}
