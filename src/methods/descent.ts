/** One step of plain gradient descent on the centers: how most methods follow a stream. */

import { multiply, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import type { Node, Variable } from "../graph/node.ts";
import type { Follow } from "../training/method.ts";

/** D4, K11: θ ← θ − η ∂L/∂θ, where L is the mean over the rows that have just arrived. */
export function descent(loss: Node, centers: Variable, rate: Node): Follow {
  const [slope] = gradient(loss, [centers]) as [Node];
  return { loss, updates: [[centers, subtract(centers, multiply(slope, rate))]] };
}
