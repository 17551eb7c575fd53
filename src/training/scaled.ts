/** Rows to the scale on which the network sees them, and back. */

import type { Scaling } from "../data/scaling.ts";
import { add, divide, equal, multiply, subtract, where } from "../graph/elementwise.ts";
import { constant, type Node } from "../graph/node.ts";
import { fromNumbers } from "../tensor/tensor.ts";

/** (x − shift)·factor, once missing numbers have been filled in. */
export function scaled(x: Node, scaling: Scaling | undefined): Node {
  if (!scaling) return x;
  const { shift, factor, missing } = scaling;
  // Only what is not a number differs from itself.
  const filled = missing ? where(equal(x, x), x, along(x, missing)) : x;
  return multiply(subtract(filled, along(x, shift)), along(x, factor));
}

/** Scaled rows, with the scaled mean of its column where a number is missing. */
export function filledIn(x: Node, means: readonly number[], scaling: Scaling | undefined): Node {
  const { shift = [0], factor = [1] } = scaling ?? {};
  const of = (values: readonly number[], c: number): number => values[values.length === 1 ? 0 : c]!;
  const scaledMeans = means.map((each, c) => (each - of(shift, c)) * of(factor, c));
  return where(equal(x, x), x, along(x, scaledMeans));
}

/** y/factor + shift. */
export function unscaled(y: Node, scaling: Scaling | undefined): Node {
  if (!scaling) return y;
  return add(divide(y, along(y, scaling.factor)), along(y, scaling.shift));
}

function along(x: Node, values: readonly number[]): Node {
  if (values.length === 1) return constant(fromNumbers("float32", [], values));
  return constant(fromNumbers("float32", [1, ...(x.shape.slice(1) as number[])], values));
}
