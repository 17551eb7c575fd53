/** Optimizers with PyTorch's semantics and defaults, as formulas: parameters and gradients in, updates out. */

import { add, divide, multiply, sqrt, square, subtract } from "../graph/elementwise.ts";
import { type Node, type Update, type Variable, variable } from "../graph/node.ts";
import { filled } from "../tensor/tensor.ts";

/** The updates of one step. The learning rate is a node, so a schedule costs nothing. */
export type Optimizer = (parameters: readonly Variable[], gradients: readonly Node[], rate: Node) => Update[];

export interface Decay {
  /** Adds this much of the parameter to its gradient: the L2 penalty. */
  weightDecay?: number;
}

/** v ← μ·v + g,  θ ← θ − η·v;  without momentum, θ ← θ − η·g. */
export function sgd({ momentum = 0, weightDecay = 0 }: Decay & { momentum?: number } = {}): Optimizer {
  return each("sgd", weightDecay, ({ theta, g, eta, slot }) => {
    // PyTorch starts v with the first gradient; from zero that is the same.
    const v = momentum === 0 ? g : slot.follow("velocity", (before) => add(multiply(before, momentum), g));
    return subtract(theta, multiply(v, eta));
  });
}

/** s ← ρ·s + (1 − ρ)·g²,  Δ = √(u + ε)/√(s + ε)·g,  u ← ρ·u + (1 − ρ)·Δ²,  θ ← θ − η·Δ. */
export function adadelta({
  rho = 0.9,
  epsilon = 1e-6,
  weightDecay = 0,
}: Decay & { rho?: number; epsilon?: number } = {}): Optimizer {
  const average = (before: Node, value: Node): Node => add(multiply(before, rho), multiply(value, 1 - rho));
  return each("adadelta", weightDecay, ({ theta, g, eta, slot }) => {
    const s = slot.follow("square", (before) => average(before, square(g)));
    const u = slot.variable("step");
    const delta = multiply(divide(sqrt(add(u, epsilon)), sqrt(add(s, epsilon))), g);
    slot.update(u, average(u, square(delta)));
    return subtract(theta, multiply(delta, eta));
  });
}

/** s ← s + g²,  θ ← θ − η·g/(√s + ε). */
export function adagrad({ epsilon = 1e-10, weightDecay = 0 }: Decay & { epsilon?: number } = {}): Optimizer {
  return each("adagrad", weightDecay, ({ theta, g, eta, slot }) => {
    const s = slot.follow("square", (before) => add(before, square(g)));
    return subtract(theta, multiply(divide(g, add(sqrt(s), epsilon)), eta));
  });
}

/** s ← α·s + (1 − α)·g²,  θ ← θ − η·g/(√s + ε). */
export function rmsprop({
  alpha = 0.99,
  epsilon = 1e-8,
  weightDecay = 0,
}: Decay & { alpha?: number; epsilon?: number } = {}): Optimizer {
  return each("rmsprop", weightDecay, ({ theta, g, eta, slot }) => {
    const s = slot.follow("square", (before) => add(multiply(before, alpha), multiply(square(g), 1 - alpha)));
    return subtract(theta, multiply(divide(g, add(sqrt(s), epsilon)), eta));
  });
}

/**
 * m ← β₁·m + g,  v ← β₂·v + g²,  θ ← θ − η·(m/c₁)/(√(v/c₂) + ε), where c₁ and c₂ are the same averages of ones.
 *
 * This is Adam (Kingma & Ba, 2015) with its two factors (1 − β) left out: they cancel against the bias correction 1 − βᵗ = (1 − β)·c.
 * It saves two passes over the parameters, and c = 1 + β·c is exact where 1 − βᵗ in float32 is not.
 */
export function adam({
  beta1 = 0.9,
  beta2 = 0.999,
  epsilon = 1e-8,
  weightDecay = 0,
}: Decay & { beta1?: number; beta2?: number; epsilon?: number } = {}): Optimizer {
  const step = each("adam", weightDecay, ({ theta, g, eta, slot, shared }) => {
    const m = slot.follow("mean", (before) => add(multiply(before, beta1), g));
    const v = slot.follow("square", (before) => add(multiply(before, beta2), square(g)));
    const c1 = shared("mean", (before) => add(multiply(before, beta1), 1));
    const c2 = shared("square", (before) => add(multiply(before, beta2), 1));
    // (m/c₁)/(√(v/c₂) + ε) = (√c₂/c₁)·m/(√v + ε·√c₂), so that scalars are combined before they meet the parameters.
    const correction = divide(sqrt(c2), c1);
    return subtract(theta, multiply(divide(m, add(sqrt(v), multiply(sqrt(c2), epsilon))), multiply(eta, correction)));
  });
  return step;
}

export const optimizers = { sgd, adadelta, adagrad, adam, rmsprop } as const;

type Follow = (before: Node) => Node;

interface Step {
  readonly theta: Variable;
  readonly g: Node;
  readonly eta: Node;
  /** This parameter's memory. */
  readonly slot: {
    variable(name: string): Variable;
    update(slot: Variable, next: Node): void;
    /** A variable that takes the value of the formula, which is returned. */
    follow(name: string, next: Follow): Node;
  };
  /** Memory that all parameters share: a scalar. */
  shared(name: string, next: Follow): Node;
}

/** Applies a rule to each parameter and collects the updates. */
function each(kind: string, weightDecay: number, rule: (step: Step) => Node): Optimizer {
  return (parameters, gradients, eta) => {
    const updates: Update[] = [];
    const scalars = new Map<string, Node>();
    const follow = (slot: Variable, next: Follow): Node => {
      const value = next(slot);
      updates.push([slot, value]);
      return value;
    };
    parameters.forEach((theta, i) => {
      const g = weightDecay === 0 ? gradients[i]! : add(gradients[i]!, multiply(theta, weightDecay));
      const memory = (name: string) =>
        variable(`${kind}.${name}/${theta.attributes.name}`, filled(theta.dtype, theta.shape as number[], 0));
      const next = rule({
        theta,
        g,
        eta,
        slot: {
          variable: memory,
          update: (slot, value) => updates.push([slot, value]),
          follow: (name, formula) => follow(memory(name), formula),
        },
        shared(name, formula) {
          const known = scalars.get(name) ?? follow(variable(`${kind}.${name}`, filled(theta.dtype, [], 0)), formula);
          scalars.set(name, known);
          return known;
        },
      });
      updates.push([theta, next]);
    });
    return updates;
  };
}
