/** Losses: two nodes in, one scalar out, averaged over rows so that they do not depend on the size of a batch. */

import { add, greater, log, maximum, multiply, negate, square, subtract, where } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { mean, sum } from "../graph/reduce.ts";

/** L = mean of (y − x)² over rows and columns. */
export function meanSquaredError(y: Node, x: Node): Node {
  return mean(square(subtract(y, x)));
}

/** L = mean over rows of ‖y − x‖². */
export function squaredDistance(y: Node, x: Node): Node {
  return meanOfRows(square(subtract(y, x)));
}

/** L = −mean of x·ln y + (1 − x)·ln(1 − y) over rows and columns; ln 0 counts as −100, as in PyTorch.
 * (ONNX Runtime's sigmoid is exactly 0 below about −18: a sum that far off costs 100 and learns nothing more.) */
export function binaryCrossEntropy(y: Node, x: Node): Node {
  const bounded = (p: Node): Node => maximum(logOr(p, -100), -100);
  return negate(mean(add(multiply(x, bounded(y)), multiply(subtract(1, x), bounded(subtract(1, y))))));
}

/** L = mean over rows of Σ p·ln(p/q), with 0·ln(0/q) = 0 also where q is 0. */
export function klDivergence(p: Node, q: Node): Node {
  const positive = greater(p, 0);
  const ratio = subtract(log(where(positive, p, 1)), log(where(positive, q, 1)));
  return meanOfRows(multiply(p, ratio));
}

/** ln p, with a number in place of ln 0; its gradient there is zero. */
function logOr(p: Node, otherwise: number): Node {
  const positive = greater(p, 0);
  return where(positive, log(where(positive, p, 1)), otherwise);
}

/** The mean over rows of what each sums up to. */
export function meanOfRows(values: Node): Node {
  const axes = values.shape.slice(1).map((_, i) => i + 1);
  return mean(sum(values, { axes }));
}
