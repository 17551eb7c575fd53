/** Optimizers with PyTorch's semantics and defaults, as formulas: parameters and gradients in, updates out. */

import { concatenate, reshape, slice } from "../graph/arrange.ts";
import { add, divide, multiply, sqrt, square, subtract } from "../graph/elementwise.ts";
import { type Node, type Update, type Variable, variable } from "../graph/node.ts";
import { product, type Shape, sameShape, show } from "../graph/size.ts";
import { hash } from "../tensor/random.ts";
import { filled } from "../tensor/tensor.ts";

/** The updates of one step. The learning rate is a node, so a schedule costs nothing. */
export type Optimizer = (parameters: readonly Variable[], gradients: readonly Node[], rate: Node) => Update[];

export interface OptimizerOptions {
  /** Adds this much of the parameter to its gradient: the L2 penalty. */
  weightDecay?: number;
  /**
   * Parameters of up to so many elements are updated together, as one long vector: the same numbers from far fewer
   * operations. By default 2¹⁶; on a GPU, where the number of operations is all that counts, Infinity is best.
   */
  together?: number;
}

/** v ← μ·v + g,  θ ← θ − η·v;  without momentum, θ ← θ − η·g. */
export function sgd({ momentum = 0, ...shared }: OptimizerOptions & { momentum?: number } = {}): Optimizer {
  return each("sgd", shared, ({ theta, g, eta, follow }) => {
    // PyTorch starts v with the first gradient; from zero that is the same.
    const v = momentum === 0 ? g : follow("velocity", (before) => add(multiply(before, momentum), g));
    return subtract(theta, multiply(v, eta));
  });
}

/** s ← ρ·s + (1 − ρ)·g²,  Δ = √(u + ε)/√(s + ε)·g,  u ← ρ·u + (1 − ρ)·Δ²,  θ ← θ − η·Δ. */
export function adadelta({
  rho = 0.9,
  epsilon = 1e-6,
  ...shared
}: OptimizerOptions & { rho?: number; epsilon?: number } = {}): Optimizer {
  const average = (before: Node, value: Node): Node => add(multiply(before, rho), multiply(value, 1 - rho));
  return each("adadelta", shared, ({ theta, g, eta, follow, memory, update }) => {
    const s = follow("square", (before) => average(before, square(g)));
    const u = memory("step");
    const delta = multiply(divide(sqrt(add(u, epsilon)), sqrt(add(s, epsilon))), g);
    update(u, average(u, square(delta)));
    return subtract(theta, multiply(delta, eta));
  });
}

/** s ← s + g²,  θ ← θ − η·g/(√s + ε). */
export function adagrad({ epsilon = 1e-10, ...shared }: OptimizerOptions & { epsilon?: number } = {}): Optimizer {
  return each("adagrad", shared, ({ theta, g, eta, follow }) => {
    const s = follow("square", (before) => add(before, square(g)));
    return subtract(theta, multiply(divide(g, add(sqrt(s), epsilon)), eta));
  });
}

/** s ← α·s + (1 − α)·g²,  θ ← θ − η·g/(√s + ε). */
export function rmsprop({
  alpha = 0.99,
  epsilon = 1e-8,
  ...shared
}: OptimizerOptions & { alpha?: number; epsilon?: number } = {}): Optimizer {
  return each("rmsprop", shared, ({ theta, g, eta, follow }) => {
    const s = follow("square", (before) => add(multiply(before, alpha), multiply(square(g), 1 - alpha)));
    return subtract(theta, multiply(divide(g, add(sqrt(s), epsilon)), eta));
  });
}

/**
 * m ← β₁·m + g,  v ← β₂·v + g²,  θ ← θ − η·(m/c₁)/(√(v/c₂) + ε), where c₁ and c₂ are the same averages of ones.
 *
 * This is Adam (Kingma & Ba, 2015) with its two factors (1 − β) left out: they cancel against the bias correction 1 −
 * βᵗ = (1 − β)·c. It saves two passes over the parameters, and c = 1 + β·c keeps its digits where 1 − βᵗ loses them in
 * float32: at the first steps.
 */
export function adam({
  beta1 = 0.9,
  beta2 = 0.999,
  epsilon = 1e-8,
  ...shared
}: OptimizerOptions & { beta1?: number; beta2?: number; epsilon?: number } = {}): Optimizer {
  return each("adam", shared, ({ theta, g, eta, follow, followScalar }) => {
    const m = follow("mean", (before) => add(multiply(before, beta1), g));
    const v = follow("square", (before) => add(multiply(before, beta2), square(g)));
    const c1 = followScalar("ones mean", (before) => add(multiply(before, beta1), 1));
    const c2 = followScalar("ones square", (before) => add(multiply(before, beta2), 1));
    // (m/c₁)/(√(v/c₂) + ε) = (√c₂/c₁)·m/(√v + ε·√c₂), so that scalars are combined before they meet the parameters.
    const correction = divide(sqrt(c2), c1);
    return subtract(theta, multiply(divide(m, add(sqrt(v), multiply(sqrt(c2), epsilon))), multiply(eta, correction)));
  });
}

export const optimizers = { sgd, adadelta, adagrad, adam, rmsprop } as const;

type Follow = (before: Node) => Node;

/** What a rule sees: a parameter θ, its gradient g, the learning rate η, and memory. */
interface Step {
  readonly theta: Node;
  readonly g: Node;
  readonly eta: Node;
  /** A variable of θ's shape, first zero. */
  memory(name: string): Variable;
  update(slot: Variable, next: Node): void;
  /** A memory that takes the value of the formula, which is returned. */
  follow(name: string, next: Follow): Node;
  /** The same as one scalar for all parameters. */
  followScalar(name: string, next: Follow): Node;
}

/** Applies a rule to each bundle of parameters and collects the updates. */
function each(
  kind: string,
  { weightDecay = 0, together = 2 ** 16 }: OptimizerOptions,
  rule: (step: Step) => Node,
): Optimizer {
  return (parameters, gradients, eta) => {
    checkGradients(kind, parameters, gradients);
    const updates: Update[] = [];
    const scalars = new Map<string, Node>();
    const followed = (slot: Variable, next: Follow): Node => {
      const value = next(slot);
      updates.push([slot, value]);
      return value;
    };
    for (const members of bundles(parameters, together)) {
      const theta = joined(members);
      const slope = joined(members.map((member) => gradients[parameters.indexOf(member)]!));
      const g = weightDecay === 0 ? slope : add(slope, multiply(theta, weightDecay));
      const zeros = (name: string, owner: string, shape: Shape): Variable =>
        variable(`${kind}.${name}/${owner}`, filled(theta.dtype, shape as readonly number[], 0));
      const memory = (name: string): Variable => zeros(name, label(members), theta.shape);
      const next = rule({
        theta,
        g,
        eta,
        memory,
        update: (slot, value) => updates.push([slot, value]),
        follow: (name, formula) => followed(memory(name), formula),
        followScalar(name, formula) {
          const known = scalars.get(name) ?? followed(zeros(name, label(parameters), []), formula);
          scalars.set(name, known);
          return known;
        },
      });
      updates.push(...parted(members, next));
    }
    return updates;
  };
}

function checkGradients(kind: string, parameters: readonly Variable[], gradients: readonly Node[]): void {
  if (parameters.length !== gradients.length) {
    throw new RangeError(
      `${kind}: needs a gradient for each of ${parameters.length} parameters, got ${gradients.length}`,
    );
  }
  parameters.forEach(({ attributes, shape }, i) => {
    if (!sameShape(shape, gradients[i]!.shape)) {
      throw new RangeError(
        `${kind}: ${attributes.name} is ${show(shape)}, and its gradient ${show(gradients[i]!.shape)}`,
      );
    }
  });
}

/** Small parameters in one bundle, each large one by itself. */
function bundles(parameters: readonly Variable[], together: number): Variable[][] {
  const isSmall = ({ shape }: Variable): boolean => (product(shape) as number) <= together;
  const small = parameters.filter(isSmall);
  const large = parameters.filter((parameter) => !isSmall(parameter)).map((parameter) => [parameter]);
  return small.length > 0 ? [...large, small] : large;
}

/**
 * What a bundle's memory is called. Another bundle must never find it by mistake, so all names go into the mark at the
 * end.
 */
function label(members: readonly Variable[]): string {
  const [first, ...others] = members.map(({ attributes }) => attributes.name);
  if (others.length === 0) return first!;
  return `${first} and ${others.length} more (${hash([first, ...others].join(" ")).toString(16)})`;
}

/** The elements of all nodes in one vector; a single node stays as it is. */
function joined(nodes: readonly Node[]): Node {
  return nodes.length === 1
    ? nodes[0]!
    : concatenate(
        nodes.map((node) => reshape(node, [-1])),
        0,
      );
}

/** Each member's part of the vector, in its own shape. */
function parted(members: readonly Variable[], next: Node): Update[] {
  if (members.length === 1) return [[members[0]!, next]];
  let start = 0;
  return members.map((member): Update => {
    const end = start + (product(member.shape) as number);
    const part = reshape(slice(next, 0, start, end), member.shape);
    start = end;
    return [member, part];
  });
}
