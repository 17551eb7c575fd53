/** From a program to the bytes of an ONNX model. */

import { type Input, mapInputs, type Node, reachable, type Variable } from "../graph/node.ts";
import { primitives } from "../graph/primitives.ts";
import { broadcastShapes, type Shape, sameShape, show } from "../graph/size.ts";
import { OnnxGraph } from "../onnx/write.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { lower, stretch } from "./lowering.ts";
import type { Program } from "./program.ts";
import type { Target } from "./target.ts";

export interface CompileOptions {
  /** How many steps one run makes: the updates of each are the state of the next. */
  steps?: number;
  /** Values to fix all variables at: the model then needs no state and can stand alone. A whole saved state will do. */
  weights?: ReadonlyMap<string, Tensor>;
  /**
   * Lets the float32 scalars of all steps leave as one vector: on a GPU, every single result that is read back costs
   * half a millisecond.
   */
  packScalars?: boolean;
  /** The hardware to write for; either runs anywhere. */
  target?: Target;
  metadata?: Record<string, string>;
}

/** What a value is called in the model: step 2's `x` is `x@2`, and the state after the run is marked with a prime. */
export const stepName = (name: string, step: number): string => (step === 0 ? name : `${name}@${step}`);
export const nextName = (name: string): string => `${name}'`;

/** The vector of packed scalars: step after step, each in the order of the outputs. */
export const packedName = ":scalars";
export const isPacked = ({ shape, dtype }: Node): boolean => shape.length === 0 && dtype === "float32";

/** Without updates the model computes; with them, state goes in and comes out. */
export function compile(
  program: Program,
  { steps = 1, weights, packScalars = false, target = "cpu", metadata }: CompileOptions = {},
): Uint8Array {
  const graph = new OnnxGraph();
  if (weights) checkWeights(program, weights);
  let state = new Map<Variable, string>();
  for (const node of program.variables) {
    const { name } = node.attributes;
    const fixed = weights?.get(name);
    if (fixed) graph.initializer(name, fixed);
    else graph.input(name, node.dtype, node.shape);
    state.set(node, name);
  }
  const packed: string[] = [];
  for (let step = 0; step < steps; step++) {
    const nameOf = lowerStep(graph, program, state, step, target);
    for (const [name, node] of Object.entries(program.outputs)) {
      const value = nameOf(node);
      if (packScalars && isPacked(node)) packed.push(graph.node("Reshape", [value, graph.integers([1])]));
      else graph.output(stepName(name, step), value, node.dtype, node.shape);
    }
    state = new Map([...state, ...program.updates.map(([node, next]) => [node, nameOf(next)] as const)]);
  }
  if (packed.length > 0)
    graph.output(packedName, graph.node("Concat", packed, { axis: 0 }), "float32", [packed.length]);
  for (const [node] of program.updates) {
    graph.output(nextName(node.attributes.name), state.get(node)!, node.dtype, node.shape);
  }
  return graph.bytes(metadata);
}

/** That there is a value for every variable, of its type and shape. */
export function checkWeights({ variables }: Program, weights: ReadonlyMap<string, Tensor>): void {
  for (const { attributes, dtype, shape } of variables) {
    const given = weights.get(attributes.name);
    if (!given) throw new TypeError(`compile: the weights have no ${attributes.name}, which the program needs`);
    if (given.dtype !== dtype || !sameShape(given.shape, shape)) {
      const got = `${given.dtype} ${show(given.shape)}`;
      throw new TypeError(`compile: ${attributes.name} is ${dtype} ${show(shape)}, and was given ${got}`);
    }
  }
}

/** A value in the model: its name, and its shape, which for a stretched node may still be the one before stretching. */
interface Value {
  readonly name: string;
  readonly shape: Shape;
}

/**
 * Writes one step's nodes and returns a function from a node to the name of its value.
 *
 * Operations that work element by element stretch their operands by themselves and do the same to every copy of an
 * element. So nothing is stretched until an operation of another kind asks for it, which in a training step hardly ever
 * happens.
 */
function lowerStep(
  graph: OnnxGraph,
  program: Program,
  state: ReadonlyMap<Variable, string>,
  step: number,
  target: Target,
): (node: Node) => string {
  const values = new Map<Node, Value>();
  for (const [node, name] of state) values.set(node, { name, shape: node.shape });
  for (const node of program.inputs) {
    const name = stepName(node.attributes.name, step);
    graph.input(name, node.dtype, node.shape);
    values.set(node, { name, shape: node.shape });
  }
  let rowCount: string | undefined;
  const rows = (): string => {
    rowCount ??= rowsOf(graph, program.inputs, step);
    return rowCount;
  };
  const place = { graph, target, rows };
  // Every node comes after its inputs.
  const known = (node: Node): Value => values.get(node)!;
  const whole = (node: Node): string => {
    const value = known(node);
    if (sameShape(value.shape, node.shape)) return value.name;
    const name = stretch(place, value.name, node.shape);
    values.set(node, { name, shape: node.shape });
    return name;
  };
  for (const node of reachable([...Object.values(program.outputs), ...program.updates.map(([, next]) => next)])) {
    if (values.has(node)) continue;
    if (node.op === "broadcast") values.set(node, known(node.inputs[0]));
    else if (primitives[node.op].isElementwise) {
      const names = mapInputs(node, (x) => known(x).name);
      const shape = node.inputs.map((x) => known(x).shape).reduce((a, b) => broadcastShapes(node.op, a, b));
      values.set(node, { name: lower(place, node, names), shape });
    } else values.set(node, { name: lower(place, node, mapInputs(node, whole)), shape: node.shape });
  }
  return whole;
}

/** n, read off the first input that has it. */
function rowsOf(graph: OnnxGraph, inputs: readonly Input[], step: number): string {
  const source = inputs.find(({ shape }) => shape.includes("n"));
  if (!source) throw new TypeError("compile: a formula depends on n, but no input does");
  const axis = source.shape.indexOf("n");
  return graph.node("Shape", [stepName(source.attributes.name, step)], { start: axis, end: axis + 1 });
}
