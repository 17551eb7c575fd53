/**
 * Clusters of very different sizes (PC-X, appendix A.3): each counts the same, however many rows it has.
 *
 *   δ  hard assignment [n, k]      α, ω  running sizes and relative sizes [k]
 */

import { add, divide, multiply } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { mean, sum } from "../graph/reduce.ts";
import { withinLoss } from "./kmeans.ts";

/** P10: ω = α / mean of α. */
export function relativeSizes(alpha: Node): Node {
  return divide(alpha, mean(alpha));
}

/** P12: mean over rows of Σₖ (1/ωₖ) δₖ ‖z − μₖ‖²: each cluster's own mean counts the same. */
export function reweightedLoss(delta: Node, distances: Node, omega: Node): Node {
  return withinLoss(divide(delta, omega), distances);
}

/** P13: α ← κ α + (1 − κ) Σₙ δₙ. */
export function followSizes(alpha: Node, size: Node, kappa: number): Node {
  return add(multiply(alpha, kappa), multiply(size, 1 - kappa));
}

/** P14: α ← (α + ε) Σα / (Σα + εK), which keeps the sum. */
export function smoothedSizes(alpha: Node, epsilon: number): Node {
  const total = sum(alpha);
  return multiply(add(alpha, epsilon), divide(total, add(total, epsilon * (alpha.shape[0] as number))));
}
