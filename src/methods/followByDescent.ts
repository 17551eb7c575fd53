/** How most methods follow a stream: the centers take one step of plain gradient descent, the network stays. */

import { multiply, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import type { Node, Variable } from "../graph/node.ts";
import type { Follow } from "../training/method.ts";

/** Ω ← Ω − η ∂L/∂Ω, where L is the mean over the rows that have just arrived. */
export function followByDescent(loss: Node, centers: Variable, rate: Node): Follow {
  const [slope] = gradient(loss, [centers]) as [Node];
  return { loss, updates: [[centers, subtract(centers, multiply(slope, rate))]] };
}
