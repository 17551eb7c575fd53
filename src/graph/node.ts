/**
 * A node is an operation, its inputs, its attributes, and the shape and type of its result.
 * A graph is whatever a node can reach.
 */

import { type DType, filled, type Tensor } from "../tensor/tensor.ts";
import type { Attributes, Draw, Inputs, Primitive } from "./primitives.ts";
import { isWhole, type Shape, show } from "./size.ts";

/** A node of any operation, or of those named: `node.op === "slice"` tells that its attributes are a slice's. */
export type Node<P extends Primitive = Primitive> = { [Q in P]: Operation<Q> }[P];

/** A node of one operation. */
export interface Operation<P extends Primitive> {
  readonly op: P;
  readonly inputs: Inputs<P, Node>;
  readonly attributes: Attributes<P>;
  readonly shape: Shape;
  readonly dtype: DType;
}

export type Input = Node<"input">;
export type Variable = Node<"variable">;

/** A variable and the node whose value it takes after a run. */
export type Update = readonly [variable: Variable, next: Node];

/** The inputs of a node with something else in the place of each. */
export function mapInputs<P extends Primitive, X>(node: Node<P>, f: (input: Node) => X): Inputs<P, X> {
  return node.inputs.map((input) => f(input)) as readonly X[] as Inputs<P, X>;
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
export function reachable(nodes: readonly Node[]): Node[] {
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
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const child = top.node.inputs[top.next++];
      if (child) enter(child);
      else {
        stack.pop();
        order.push(top.node);
      }
    }
  }
  return order;
}
