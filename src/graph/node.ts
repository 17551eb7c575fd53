/**
 * A node is an operation, its inputs, its attributes, and the shape and type of its result.
 * A graph is whatever a node can reach.
 */

import { type DType, filled, type Tensor } from "../tensor/tensor.ts";
import { isWhole, type Shape, show } from "./size.ts";

/** Every operation with its attributes. The gradient and lowering tables are typed over this list. */
export interface Primitives {
  // leaves
  input: { name: string; draw: Draw | undefined };
  variable: { name: string; initial: Tensor };
  constant: { value: Tensor };
  // two operands, broadcast
  add: Nothing;
  subtract: Nothing;
  multiply: Nothing;
  divide: Nothing;
  power: Nothing;
  minimum: Nothing;
  maximum: Nothing;
  // one operand, element by element
  negate: Nothing;
  exp: Nothing;
  log: Nothing;
  sqrt: Nothing;
  abs: Nothing;
  sign: Nothing;
  isPositive: Nothing;
  relu: Nothing;
  leakyRelu: { slope: number };
  sigmoid: Nothing;
  tanh: Nothing;
  // choices
  equal: Nothing;
  less: Nothing;
  greater: Nothing;
  where: Nothing;
  // types and flow
  cast: { dtype: DType };
  stopGradient: Nothing;
  size: { axis: number };
  // arranging
  reshape: { shape: Shape };
  broadcast: { shape: Shape };
  transpose: { permutation: readonly number[] };
  slice: { starts: readonly number[]; ends: readonly number[] };
  concatenate: { axis: number };
  pad: { before: readonly number[]; after: readonly number[]; value: number };
  gatherRows: Nothing;
  oneHot: { depth: number };
  // reducing
  sum: { axes: readonly number[]; keep: boolean };
  max: { axes: readonly number[]; keep: boolean };
  argmax: { axis: number };
  argmin: { axis: number };
  softmax: { axis: number };
  // contracting
  matmul: { transposeA: boolean; transposeB: boolean };
  conv2d: { stride: number; padding: number };
  convTranspose2d: { stride: number; padding: number; size: readonly [number, number] };
  conv2dWeight: { stride: number; padding: number; kernel: readonly [number, number] };
  maxPool2d: { factor: number };
  maxPool2dGradient: { factor: number };
  upsample2d: { factor: number };
}

export type Nothing = Record<never, never>;
export type Primitive = keyof Primitives;

/** A distribution from which a session fills an input by itself. */
export type Draw = "uniform" | "normal";

export interface Node<P extends Primitive = Primitive> {
  readonly op: P;
  readonly inputs: readonly Node[];
  readonly attributes: Primitives[P];
  readonly shape: Shape;
  readonly dtype: DType;
}

export type Input = Node<"input">;
export type Variable = Node<"variable">;

/** A variable and the node whose value it takes after a run. */
export type Update = readonly [variable: Variable, next: Node];

export function isNode<P extends Primitive>(node: Node, op: P): node is Node<P> {
  return node.op === op;
}

/** Something fed at every run, or drawn at random. A size may be n, the rows of the batch: `input("x", ["n", 784])`. */
export function input(name: string, shape: Shape, dtype: DType = "float32", draw?: Draw): Input {
  if (!shape.every((size) => size === "n" || (typeof size === "number" && isWhole(size)))) {
    throw new RangeError(`input: the sizes of ${name} must be whole numbers from 0 or n, got ${show(shape)}`);
  }
  if (draw && dtype !== "float32") throw new TypeError(`input: ${name} is drawn as float32, not as ${dtype}`);
  return { op: "input", inputs: [], attributes: { name, draw }, shape, dtype };
}

/** Something a session keeps from run to run: a parameter, a running statistic, an optimizer's memory. */
export function variable(name: string, initial: Tensor): Variable {
  const { shape, dtype } = initial;
  return { op: "variable", inputs: [], attributes: { name, initial }, shape, dtype };
}

/** A fixed value; a plain number is a float32 scalar unless a type is given. */
export function constant(value: Tensor | number, dtype: DType = "float32"): Node<"constant"> {
  const t = typeof value === "number" ? filled(dtype, [], value) : value;
  return { op: "constant", inputs: [], attributes: { value: t }, shape: t.shape, dtype: t.dtype };
}

/** Every node that the given ones need, each after its inputs. */
export function reach(nodes: readonly Node[]): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  // An explicit stack: a graph of many unrolled steps is deeper than the call stack.
  const stack: { node: Node; next: number }[] = [];
  const enter = (node: Node): void => {
    if (!seen.has(node)) {
      seen.add(node);
      stack.push({ node, next: 0 });
    }
  };
  for (const root of nodes) {
    enter(root);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = top.node.inputs[top.next++];
      if (child) enter(child);
      else order.push(stack.pop()!.node);
    }
  }
  return order;
}
