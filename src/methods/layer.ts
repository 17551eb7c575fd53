/** TELL's cluster layer, formula by formula (symbols as in tell.ts). */

import { add, divide, multiply, negate, square, subtract } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { mean, norm, softmax, sum } from "../graph/reduce.ts";
import { nearest } from "../nn/distances.ts";
import { withinLoss } from "./kmeans.ts";

/** T5: W = 2Ω, b = −‖Ω‖². */
export function layerOf(centers: Node): { W: Node; b: Node } {
  return { W: multiply(centers, 2), b: negate(sum(square(centers), { axes: [1] })) };
}

/** T4, T6: ‖x − Ωⱼ‖² = ‖x‖² − 2Ωⱼᵀx + ‖Ωⱼ‖² = β − Wⱼᵀx − bⱼ. */
export function distanceByLayer(x: Node, W: Node, b: Node): Node {
  const beta = sum(square(x), { axes: [1], keep: true });
  return subtract(subtract(beta, matmul(x, W, { transposeB: true })), b);
}

/** T7, T8: Iⱼ = exp((Wⱼᵀx + bⱼ − β)/τ) / Σₖ exp((Wₖᵀx + bₖ − β)/τ); what all scores of a row share, such as β, cancels. */
export function softAssignment(scores: Node, tau: number): Node {
  return softmax(divide(scores, tau));
}

/** τ → 0 in T8: 1 for the largest score, 0 for the others. No gradient flows. */
export function hardAssignment(scores: Node): Node {
  return nearest(negate(scores));
}

/** T9: L = Σⱼ Iⱼ (−Wⱼᵀx − bⱼ + β), the mean over rows. */
export function layerLoss(I: Node, x: Node, W: Node, b: Node): Node {
  return withinLoss(I, distanceByLayer(x, W, b));
}

/** T10, T11, TA3, TA4: −f(zⱼ) = −softmaxⱼ(z/τ) zⱼ for each row and cluster; their sum is the loss. */
export function softTerms(z: Node, tau: number): Node {
  return negate(multiply(softmax(divide(z, tau)), z));
}

/** T12, T13: L = Σⱼ Iⱼ (2 − Wⱼᵀx), the mean over rows: all lengths are known, so that b = −1 and β = 1. */
export function clusteringLoss(I: Node, scores: Node): Node {
  return mean(sum(multiply(I, subtract(2, scores)), { axes: [1] }));
}

/** T15: L = L_rec + λ L_clu, in the units of the published code: the mean over elements of x, and over rows and clusters of I. */
export function jointLoss(reconstruction: Node, clustering: Node, lambda: number, clusters: number): Node {
  return add(reconstruction, multiply(clustering, lambda / clusters));
}

/** §2.2.3: each row of the gradient gets the given share of its weight's length; a row of zeros stays so, and its center where it is. */
export function normalizedGradient(g: Node, W: Node, share: Node | number): Node {
  const length = (rows: Node): Node => norm(rows, { axes: [1], keep: true });
  return multiply(g, multiply(divide(length(W), length(g)), share));
}

/** T16: Wₜ₊₁ = Wₜ − ηₜ ∇L(Wₜ), with ηₜ in the gradient already. */
export function descend(W: Node, step: Node): Node {
  return subtract(W, step);
}

/** ‖Wⱼ‖ = 2. */
export function renormalized(W: Node): Node {
  return divide(multiply(W, 2), norm(W, { axes: [1], keep: true }));
}
