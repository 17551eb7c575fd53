/** Rows to the scale on which the network sees them, and back. */

import type { Scaling } from "../data/scaling.ts";
import { add, divide, multiply, subtract } from "../graph/elementwise.ts";
import { constant, type Node } from "../graph/node.ts";
import { fromNumbers } from "../tensor/tensor.ts";

/** (x − shift)·factor. */
export function scaled(x: Node, scaling: Scaling | undefined): Node {
  if (!scaling) return x;
  return multiply(subtract(x, along(x, scaling.shift)), along(x, scaling.factor));
}

/** y/factor + shift. */
export function unscaled(y: Node, scaling: Scaling | undefined): Node {
  if (!scaling) return y;
  return add(divide(y, along(y, scaling.factor)), along(y, scaling.shift));
}

function along(x: Node, values: readonly number[]): Node {
  return constant(fromNumbers("float32", [1, ...(x.shape.slice(1) as number[])], values));
}
