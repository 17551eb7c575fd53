/** PC-X: codes beside their centers, formula by formula (symbols as in pcx.ts). */

import { concatenate, reshape } from "../graph/arrange.ts";
import { add, divide, log, maximum, multiply, negate, subtract } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { mean, softmax, sum } from "../graph/reduce.ts";
import { meansOf } from "./kmeans.ts";

/** P2: λ = softmax(−τ ‖z − μ‖²), δ the largest of them. */
export function softAssignment(distances: Node, tau: number): Node {
  return softmax(multiply(distances, -tau));
}

/** P3: ẑ = h(z, z̃), one linear layer on the two side by side. */
export function fused(z: Node, own: Node, linear: (pair: Node) => Node): Node {
  return linear(concatenate([z, own], 1));
}

/** P1, P9: L = L_rec + η₁ L_cluster + η₂ L_ME. */
export function jointLoss(
  parts: { reconstruction: Node; clustering: Node; entropy: Node },
  eta1: number,
  eta2: Node | number,
): Node {
  const { reconstruction, clustering, entropy } = parts;
  return add(add(reconstruction, multiply(clustering, eta1)), multiply(entropy, eta2));
}

/** P6, P7: μ ← κ μ + (1 − κ) μ̄, where μ̄ is the mean of the cluster's codes; without any, μ stays. */
export function followCenters(mu: Node, total: Node, size: Node, kappa: Node | number): Node {
  const rest = subtract(1, kappa);
  return add(multiply(mu, kappa), multiply(meansOf(total, size, mu), rest));
}

/** P6: κₖ = ρ / (ρ + (η₁/N) Σₙ δₙₖ), one for each cluster; η₁ is that of the loss per row, which the published code divides by d. */
export function keptShare(size: Node, rho: number, eta1: number): Node {
  const share = divide(size, sum(size, { axes: [0], keep: true }));
  const kappa = divide(rho, add(multiply(share, eta1), rho));
  return reshape(kappa, [size.shape[0]!, 1]);
}

/** P8: L_ME = −mean over rows of Σₖ λ log λ. */
export function entropyLoss(lambda: Node): Node {
  return negate(mean(sum(multiply(lambda, log(maximum(lambda, 1e-9))), { axes: [1] })));
}
