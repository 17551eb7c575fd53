/** Rows to the scale on which the network sees them, and back. */

import { type Scaling, shortTail as shortened } from "../data/scaling.ts";
import {
  add,
  cast,
  divide,
  equal,
  exp,
  greater,
  log,
  multiply,
  negate,
  relu,
  subtract,
  where,
} from "../graph/elementwise.ts";
import { constant, type Node } from "../graph/node.ts";
import { fromNumbers } from "../tensor/tensor.ts";

/** (x − shift)·factor, once missing numbers have been filled in and long tails shortened. */
export function scaled(x: Node, scaling: Scaling | undefined): Node {
  if (!scaling) return x;
  const { shift, factor, missing, logarithm } = scaling;
  // Only what is not a number differs from itself.
  const filled = missing ? where(equal(x, x), x, along(x, missing)) : x;
  // What is missing stays so: a runtime may take the larger of 0 and nothing for 0.
  const isShort = logarithm && multiply(along(x, logarithm), cast(equal(filled, filled), "float32"));
  const short = isShort ? where(greater(isShort, 0), shortTail(filled), filled) : filled;
  return multiply(subtract(short, along(x, shift)), along(x, factor));
}

/** Scaled rows, with the scaled mean of its column where a number is missing. */
export function filledIn(x: Node, means: readonly number[], scaling: Scaling | undefined): Node {
  const { shift = [0], factor = [1], logarithm } = scaling ?? {};
  const of = (values: readonly number[], c: number): number => values[values.length === 1 ? 0 : c]!;
  const scaledMeans = means.map(
    (each, c) => ((logarithm?.[c] ? shortened(each) : each) - of(shift, c)) * of(factor, c),
  );
  return where(equal(x, x), x, along(x, scaledMeans));
}

/** y/factor + shift, and tails as long as they were. */
export function unscaled(y: Node, scaling: Scaling | undefined): Node {
  if (!scaling) return y;
  const { shift, factor, logarithm } = scaling;
  const moved = add(divide(y, along(y, factor)), along(y, shift));
  if (!logarithm) return moved;
  // What is not to be lengthened is not tried either: e to its power may be more than a number can be.
  const isLong = along(y, logarithm);
  return where(greater(isLong, 0), longTail(multiply(moved, isLong)), moved);
}

/** sign(x)·ln(1 + |x|). */
function shortTail(x: Node): Node {
  return subtract(log(add(relu(x), 1)), log(add(relu(negate(x)), 1)));
}

/** sign(y)·(e^|y| − 1). */
function longTail(y: Node): Node {
  return subtract(exp(relu(y)), exp(relu(negate(y))));
}

function along(x: Node, values: readonly number[]): Node {
  if (values.length === 1) return constant(fromNumbers("float32", [], values));
  return constant(fromNumbers("float32", [1, ...(x.shape.slice(1) as number[])], values));
}
