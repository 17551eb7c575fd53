/**
 * Every operation in one table: what it takes, whether it works element by element, and its attributes.
 * Types and tables elsewhere (gradients, ONNX forms, the tests' oracle and examples) follow from this one.
 */

import type { DType, Tensor } from "../tensor/tensor.ts";
import type { Shape } from "./size.ts";

/** What an operation takes, as a tuple of X: nodes in a graph, names in a model, values where one is computed. */
interface Takes<X> {
  nothing: readonly [];
  one: readonly [x: X];
  two: readonly [a: X, b: X];
  three: readonly [a: X, b: X, c: X];
  withBias: readonly [x: X, weight: X] | readonly [x: X, weight: X, bias: X];
  many: readonly X[];
}

/** A kind of operation. Its attributes are a type alone: at run time every node has its own. */
interface Kind<T extends keyof Takes<unknown>, Elementwise extends boolean, Attributes> {
  readonly takes: T;
  /** Whether it works on each element alone, and stretches its operands to one shape by itself. */
  readonly isElementwise: Elementwise;
  readonly attributes?: Attributes;
}

type Nothing = Record<never, never>;

const kind =
  <T extends keyof Takes<unknown>, E extends boolean>(takes: T, isElementwise: E) =>
  <A = Nothing>(): Kind<T, E, A> => ({ takes, isElementwise });

const leaf = kind("nothing", false);
/** On each element alone. */
const elementwise = { one: kind("one", true), two: kind("two", true), three: kind("three", true) };
/** On tensors as a whole: where an element stands, or what stands beside it, makes a difference. */
const whole = {
  one: kind("one", false),
  two: kind("two", false),
  three: kind("three", false),
  withBias: kind("withBias", false),
  many: kind("many", false),
};

export const primitives = {
  // leaves
  input: leaf<{ name: string; draw: Draw | undefined }>(),
  variable: leaf<{ name: string; initial: Tensor }>(),
  constant: leaf<{ value: Tensor }>(),
  // arithmetic
  add: elementwise.two(),
  subtract: elementwise.two(),
  multiply: elementwise.two(),
  divide: elementwise.two(),
  power: elementwise.two(),
  minimum: elementwise.two(),
  maximum: elementwise.two(),
  // functions
  negate: elementwise.one(),
  exp: elementwise.one(),
  log: elementwise.one(),
  sqrt: elementwise.one(),
  abs: elementwise.one(),
  sign: elementwise.one(),
  isPositive: elementwise.one(),
  relu: elementwise.one(),
  leakyRelu: elementwise.one<{ slope: number }>(),
  sigmoid: elementwise.one(),
  tanh: elementwise.one(),
  // choices
  equal: elementwise.two(),
  less: elementwise.two(),
  greater: elementwise.two(),
  where: elementwise.three(),
  // types and flow
  cast: elementwise.one<{ dtype: DType }>(),
  stopGradient: elementwise.one(),
  size: whole.one<{ axis: number }>(),
  // arranging
  reshape: whole.one<{ shape: Shape }>(),
  broadcast: whole.one<{ shape: Shape }>(),
  transpose: whole.one<{ permutation: readonly number[] }>(),
  slice: whole.one<{ starts: readonly number[]; ends: readonly number[] }>(),
  concatenate: whole.many<{ axis: number }>(),
  pad: whole.one<{ before: readonly number[]; after: readonly number[]; value: number }>(),
  gatherRows: whole.two(),
  oneHot: whole.one<{ depth: number }>(),
  // reducing
  sum: whole.one<{ axes: readonly number[]; keep: boolean }>(),
  max: whole.one<{ axes: readonly number[]; keep: boolean }>(),
  argmax: whole.one<{ axis: number }>(),
  argmin: whole.one<{ axis: number }>(),
  softmax: whole.one<{ axis: number }>(),
  // products
  matmul: whole.two<{ transposeA: boolean; transposeB: boolean }>(),
  conv2d: whole.withBias<{ stride: number; padding: number }>(),
  convTranspose2d: whole.withBias<{ stride: number; padding: number; size: readonly [number, number] }>(),
  conv2dWeight: whole.two<{ stride: number; padding: number; kernel: readonly [number, number] }>(),
  maxPool2d: whole.one<{ factor: number }>(),
  maxPool2dGradient: whole.three<{ factor: number }>(),
  upsample2d: whole.one<{ factor: number }>(),
};

/** A distribution from which a session fills an input by itself. */
export type Draw = "uniform" | "normal";

type Primitives = typeof primitives;
export type Primitive = keyof Primitives;

/** What P takes, as a tuple of X. */
export type Inputs<P extends Primitive, X> = Takes<X>[Primitives[P]["takes"]];
export type Attributes<P extends Primitive> = NonNullable<Primitives[P]["attributes"]>;

/** The operations that take T. */
export type Taking<T extends keyof Takes<unknown>> = {
  [P in Primitive]: Primitives[P]["takes"] extends T ? P : never;
}[Primitive];

/** The elementwise operations that take T. */
export type Elementwise<T extends keyof Takes<unknown>> = {
  [P in Taking<T>]: Primitives[P]["isElementwise"] extends true ? P : never;
}[Taking<T>];
