/** Layers: parameters, and a formula from input to output. */

import { reshape, size } from "../graph/arrange.ts";
import {
  add,
  divide,
  isPositive,
  leakyRelu,
  maximum,
  multiply,
  relu,
  sigmoid,
  sqrt,
  square,
  stopGradient,
  subtract,
  tanh,
} from "../graph/elementwise.ts";
import { input, type Node, type Update, type Variable, variable } from "../graph/node.ts";
import type { Draw } from "../graph/primitives.ts";
import {
  type ConvOptions,
  type ConvTransposeOptions,
  conv2d,
  convTranspose2d,
  matmul,
  maxPool2d,
  upsample2d,
} from "../graph/products.ts";
import { mean, norm } from "../graph/reduce.ts";
import type { Shape } from "../graph/size.ts";
import type { Random } from "../tensor/random.ts";
import { filled } from "../tensor/tensor.ts";
import { type Initializer, kaimingUniform } from "./initializers.ts";

/**
 * One way through a network, or several in one program: training or not, and what the layers want to remember from it.
 */
export interface Pass {
  readonly training: boolean;
  /** Filled by layers that keep running statistics. */
  readonly updates: Update[];
  /** The names of the random inputs that layers have asked for. */
  readonly draws: Set<string>;
}

export const inference: Pass = Object.freeze({ training: false, updates: [], draws: new Set<string>() });

export function trainingPass(): Pass {
  return { training: true, updates: [], draws: new Set() };
}

export interface Layer {
  /** What an optimizer changes. */
  readonly parameters: readonly Variable[];
  apply(x: Node, pass: Pass): Node;
}

/** One layer after the other. */
export function sequence(layers: readonly Layer[]): Layer {
  return {
    parameters: layers.flatMap(({ parameters }) => parameters),
    apply: (x, pass) => layers.reduce((value, layer) => layer.apply(value, pass), x),
  };
}

export interface WeightOptions {
  weight?: Initializer;
  bias?: Initializer;
}

/** y = xW + b, with W [from,to]. */
export function dense(
  name: string,
  from: number,
  to: number,
  random: Random,
  { weight = kaimingUniform, bias = kaimingUniform }: WeightOptions = {},
): Layer {
  const fan = { in: from, out: to };
  const W = variable(`${name}.weight`, weight(random, [from, to], fan));
  const b = variable(`${name}.bias`, bias(random, [to], fan));
  return { parameters: [W, b], apply: (x) => add(matmul(x, W), b) };
}

export interface Convolution {
  from: number;
  to: number;
  kernel: number;
}

/** y = x ∗ W + b, with W [to,from,kernel,kernel]. */
export function conv(
  name: string,
  { from, to, kernel }: Convolution,
  random: Random,
  { weight = kaimingUniform, bias = kaimingUniform, ...options }: WeightOptions & Omit<ConvOptions, "bias"> = {},
): Layer {
  const fan = { in: from * kernel * kernel, out: to * kernel * kernel };
  const W = variable(`${name}.weight`, weight(random, [to, from, kernel, kernel], fan));
  const b = variable(`${name}.bias`, bias(random, [to], fan));
  return { parameters: [W, b], apply: (x) => conv2d(x, W, { ...options, bias: b }) };
}

/** The transposed convolution, with W [from,to,kernel,kernel]. */
export function convTranspose(
  name: string,
  { from, to, kernel }: Convolution,
  random: Random,
  {
    weight = kaimingUniform,
    bias = kaimingUniform,
    ...options
  }: WeightOptions & Omit<ConvTransposeOptions, "bias"> = {},
): Layer {
  // PyTorch reads the fan off the weight's second axis, which here is the number of results.
  const fan = { in: to * kernel * kernel, out: from * kernel * kernel };
  const W = variable(`${name}.weight`, weight(random, [from, to, kernel, kernel], fan));
  const b = variable(`${name}.bias`, bias(random, [to], fan));
  return { parameters: [W, b], apply: (x) => convTranspose2d(x, W, { ...options, bias: b }) };
}

export interface BatchNormOptions {
  /** How much of each batch's statistics goes into the running ones. */
  momentum?: number;
  epsilon?: number;
}

/**
 * y = γ·(x − μ)/√(σ² + ε) + β for each channel (axis 1).
 * In training, μ and σ² are the batch's, and the running ones follow (with the unbiased σ², as in PyTorch); otherwise
 * they are the running ones.
 */
export function batchNorm(
  name: string,
  channels: number,
  { momentum = 0.1, epsilon = 1e-5 }: BatchNormOptions = {},
): Layer {
  const gamma = variable(`${name}.weight`, filled("float32", [channels], 1));
  const beta = variable(`${name}.bias`, filled("float32", [channels], 0));
  const runningMean = variable(`${name}.mean`, filled("float32", [channels], 0));
  const runningVariance = variable(`${name}.variance`, filled("float32", [channels], 1));
  const follow = (running: Node, batch: Node): Node => add(multiply(running, 1 - momentum), multiply(batch, momentum));
  return {
    parameters: [gamma, beta],
    apply(x, pass) {
      const axes = x.shape.flatMap((_, axis) => (axis === 1 ? [] : [axis]));
      const channelShape: Shape = x.shape.map((_, axis) => (axis === 1 ? channels : 1));
      const wide = (perChannel: Node): Node => reshape(perChannel, channelShape);
      if (!pass.training) {
        const scale = divide(gamma, sqrt(add(runningVariance, epsilon)));
        return add(multiply(subtract(x, wide(runningMean)), wide(scale)), wide(beta));
      }
      const mu = mean(x, { axes, keep: true });
      // Σ (x − μ) = 0, so σ² does not change with μ, and μ's part in the gradient is that of the shift alone: it is
      // written there, as a term that is zero. Left to the chain rule, it would cost another pass over x. (Exact for
      // first derivatives; a second one would miss a part.)
      const centered = subtract(x, stopGradient(mu));
      const variance = mean(square(centered), { axes, keep: true });
      const count = size(x, axes);
      // A single value per channel has no unbiased variance; 0 is better than NaN for ever.
      const unbiased = multiply(variance, divide(count, maximum(subtract(count, 1), 1)));
      remember(pass, runningMean, (before) => follow(before, reshape(mu, [channels])));
      remember(pass, runningVariance, (before) => follow(before, reshape(unbiased, [channels])));
      const scale = divide(wide(gamma), sqrt(add(variance, epsilon)));
      const shift = subtract(wide(beta), multiply(subtract(mu, stopGradient(mu)), scale));
      return add(multiply(centered, scale), shift);
    },
  };
}

/** In training, sets each element to zero with the given probability and scales the others up by 1/(1 − rate). */
export function dropout(name: string, rate: number): Layer {
  return dropping("dropout", name, rate, 1 / (1 - rate));
}

/**
 * In training, sets each element to zero with the given probability: masking noise, as denoising autoencoders use it.
 */
export function corruption(name: string, rate: number): Layer {
  return dropping("corruption", name, rate, 1);
}

/** In training, adds normal noise of the given deviation. */
export function noise(name: string, deviation: number): Layer {
  if (!(deviation >= 0)) throw new RangeError(`noise: the deviation must be at least 0, got ${deviation}`);
  return {
    parameters: [],
    apply: (x, pass) =>
      pass.training && deviation > 0 ? add(x, multiply(drawn(name, x, "normal", pass), deviation)) : x,
  };
}

/** x / ‖x‖ along the last axis. */
export const unitLength: Layer = plain((x) => divide(x, norm(x, { axes: [-1], keep: true })));

/** What follows a layer's sum. */
export const activations = {
  linear: plain((x) => x),
  relu: plain(relu),
  leakyRelu: plain((x) => leakyRelu(x)),
  sigmoid: plain(sigmoid),
  tanh: plain(tanh),
  unit: unitLength,
} satisfies Record<string, Layer>;

export type Activation = keyof typeof activations;

export const maxPool = (factor: number): Layer => plain((x) => maxPool2d(x, factor));
export const upsample = (factor: number): Layer => plain((x) => upsample2d(x, factor));

/** A layer without parameters that is the same in training and after. */
export function plain(formula: (x: Node) => Node): Layer {
  return { parameters: [], apply: formula };
}

/** An element stays where its uniform number is at least the rate. */
function dropping(kind: string, name: string, rate: number, scale: number): Layer {
  if (!(rate >= 0 && rate < 1)) throw new RangeError(`${kind}: the rate must be from 0 to below 1, got ${rate}`);
  return {
    parameters: [],
    apply(x, pass) {
      if (!pass.training || rate === 0) return x;
      const dropped = isPositive(subtract(rate, drawn(name, x, "uniform", pass)));
      return multiply(x, multiply(subtract(1, dropped), scale));
    },
  };
}

/** Random numbers of x's shape; a layer that is used again draws again. */
function drawn(name: string, x: Node, from: Draw, { draws }: Pass): Node {
  const first = `${name}.${from}`;
  let [unused, times] = [first, 1];
  while (draws.has(unused)) unused = `${first} ${++times}`;
  draws.add(unused);
  return input(unused, x.shape, "float32", from);
}

/** What a variable becomes; a layer that is used again goes on from what it became before. */
function remember({ updates }: Pass, target: Variable, next: (before: Node) => Node): void {
  const known = updates.findIndex(([variable]) => variable === target);
  if (known < 0) updates.push([target, next(target)]);
  else updates[known] = [target, next(updates[known]![1])];
}
