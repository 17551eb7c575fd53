/** First values for weights. */

import type { Random } from "../tensor/random.ts";
import { filled, sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

/** How many inputs each result of a layer sums over, and how many results each input reaches. */
export interface Fan {
  readonly in: number;
  readonly out: number;
}

export type Initializer = (random: Random, shape: readonly number[], fan: Fan) => Tensor<"float32">;

/**
 * U(−1/√fanIn, 1/√fanIn): Kaiming's uniform rule with a = √5, which is the default of PyTorch's layers for weights and
 * biases.
 */
export const kaimingUniform: Initializer = (random, shape, fan) => within(random, shape, 1 / Math.sqrt(fan.in));

/** U(−r, r) with r = √(6 / fanIn): Kaiming's uniform rule for layers that a ReLU follows (He et al., 2015). */
export const heUniform: Initializer = (random, shape, fan) => within(random, shape, Math.sqrt(6 / fan.in));

/** U(−r, r) with r = √(6 / (fanIn + fanOut)) (Glorot & Bengio, 2010). */
export const xavierUniform: Initializer = (random, shape, fan) =>
  within(random, shape, Math.sqrt(6 / (fan.in + fan.out)));

/** U(low, high). */
export const uniformBetween =
  (low: number, high: number): Initializer =>
  (random, shape) =>
    tensor("float32", shape, random.uniforms(sizeOf(shape), low, high));

export const zeros: Initializer = (_random, shape) => filled("float32", shape, 0);

function within(random: Random, shape: readonly number[], limit: number): Tensor<"float32"> {
  return tensor("float32", shape, random.uniforms(sizeOf(shape), -limit, limit));
}
