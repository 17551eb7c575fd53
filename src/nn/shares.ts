/**
 * Rows of which some numbers are shares of one whole, such as the values of a category: the network draws them as
 * shares, and learns them by their cross-entropy.
 */

import { concatenate, slice } from "../graph/arrange.ts";
import { abs, add, divide, exp, log, multiply, negate, relu, sigmoid, square, subtract } from "../graph/elementwise.ts";
import { constant, type Node } from "../graph/node.ts";
import { logSumExp, softmax } from "../graph/reduce.ts";
import { fromNumbers } from "../tensor/tensor.ts";
import type { Autoencoder } from "./autoencoders.ts";

/** Some numbers of a row, seen by the network as (p − shift)·factor. */
export interface SeenShares {
  readonly first: number;
  /** Of one number alone, p is the share of 1, and 1 − p that of 0. */
  readonly count: number;
  /** What one nat of cross-entropy costs. */
  readonly weight: number;
  readonly shift: readonly number[];
  readonly factor: readonly number[];
}

/** A network of flat rows that draws these numbers as shares. Those that it draws as others stay as they are. */
export function withShares(network: Autoencoder, shares: readonly SeenShares[]): Autoencoder {
  const [width] = network.row as [number];
  const drawn = (y: Node, show: (logits: Node, group: SeenShares) => Node, rest: (y: Node, first: number) => Node) => {
    const parts: Node[] = [];
    let at = 0;
    for (const group of shares) {
      const { first, count } = group;
      if (first > at) parts.push(rest(slice(y, 1, at, first), at));
      parts.push(show(slice(y, 1, first, first + count), group));
      at = first + count;
    }
    if (at < width) parts.push(rest(slice(y, 1, at, width), at));
    return parts.length === 1 ? parts[0]! : concatenate(parts, 1);
  };
  const along = (values: readonly number[]): Node => constant(fromNumbers("float32", [1, values.length], values));
  return {
    ...network,
    columns: width - shares.reduce((sum, { count }) => sum + count - 1, 0),
    decode: (z, pass) =>
      drawn(
        network.decode(z, pass),
        (logits, { count, shift, factor }) =>
          multiply(subtract(count === 1 ? sigmoid(logits) : softmax(logits), along(shift)), along(factor)),
        (y) => y,
      ),
    errors: (z, x, pass) =>
      drawn(
        network.decode(z, pass),
        (logits, { first, count, weight, shift, factor }) => {
          const t = add(divide(slice(x, 1, first, first + count), along(factor)), along(shift));
          return multiply(crossEntropies(logits, t, count), weight);
        },
        (y, first) => square(subtract(y, slice(x, 1, first, first + (y.shape[1] as number)))),
      ),
  };
}

/** −tⱼ·ln softmax(y)ⱼ; of one number alone −t·ln σ(y) − (1 − t)·ln(1 − σ(y)) = ln(1 + eʸ) − t·y. */
function crossEntropies(y: Node, t: Node, count: number): Node {
  if (count > 1) return multiply(t, subtract(logSumExp(y, { axes: [1], keep: true }), y));
  const softplus = add(relu(y), log(add(exp(negate(abs(y))), 1)));
  return subtract(softplus, multiply(t, y));
}
