/**
 * What TELL's paper writes down on the way to its loss and no training computes: the layer for rows and centers of any
 * length (symbols as in src/methods/tell.ts).
 */

import { divide, multiply, negate, square, subtract } from "../../../src/graph/elementwise.ts";
import type { Node } from "../../../src/graph/node.ts";
import { matmul } from "../../../src/graph/products.ts";
import { softmax, sum } from "../../../src/graph/reduce.ts";
import { withinLoss } from "../../../src/methods/clusterMeans.ts";

/** T4, T6: ‖x − Ωⱼ‖² = ‖x‖² − 2Ωⱼᵀx + ‖Ωⱼ‖² = β − Wⱼᵀx − bⱼ. */
export function distanceByLayer(x: Node, W: Node, b: Node): Node {
  const beta = sum(square(x), { axes: [1], keep: true });
  return subtract(subtract(beta, matmul(x, W, { transposeB: true })), b);
}

/** T5: W = 2Ω, b = −‖Ω‖². */
export function layerOf(centers: Node): { W: Node; b: Node } {
  return { W: multiply(centers, 2), b: negate(sum(square(centers), { axes: [1] })) };
}

/** T9: L = Σⱼ Iⱼ (−Wⱼᵀx − bⱼ + β), the mean over rows. */
export function layerLoss(I: Node, x: Node, W: Node, b: Node): Node {
  return withinLoss(I, distanceByLayer(x, W, b));
}

/** T10, T11, TA3, TA4: −f(zⱼ) = −softmaxⱼ(z/τ) zⱼ for each row and cluster; their sum is the loss. */
export function softTerms(z: Node, tau: number): Node {
  return negate(multiply(softmax(divide(z, tau)), z));
}
