/** From a program to the bytes of an ONNX model. */

import { type Input, type Node, type Primitive, reach, type Variable } from "../graph/node.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Target } from "./convolution.ts";
import { lowerings } from "./lowering.ts";
import { OnnxGraph } from "./onnx.ts";
import type { Program } from "./program.ts";

export interface CompileOptions {
  /** How many steps one run makes: the updates of each are the state of the next. */
  steps?: number;
  /** Values to fix the state at: the model then needs no state and can stand alone. */
  weights?: ReadonlyMap<string, Tensor>;
  /** Lets the float32 scalars of all steps leave as one vector: on a GPU, every single result that is read back costs half a millisecond. */
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
    const values = lowerStep(graph, program, state, step, target);
    for (const [name, node] of Object.entries(program.outputs)) {
      const value = values.get(node)!;
      if (packScalars && isPacked(node)) packed.push(graph.node("Reshape", [value, graph.integers([1])]));
      else graph.output(stepName(name, step), value, node.dtype, node.shape);
    }
    state = new Map([...state, ...program.updates.map(([node, next]) => [node, values.get(next)!] as const)]);
  }
  if (packed.length > 0)
    graph.output(packedName, graph.node("Concat", packed, { axis: 0 }), "float32", [packed.length]);
  for (const [node] of program.updates) {
    graph.output(nextName(node.attributes.name), state.get(node)!, node.dtype, node.shape);
  }
  return graph.bytes(metadata);
}

/** Writes one step's nodes and returns the name of every node's value. */
function lowerStep(
  graph: OnnxGraph,
  program: Program,
  state: ReadonlyMap<Variable, string>,
  step: number,
  target: Target,
): Map<Node, string> {
  const values = new Map<Node, string>(state);
  for (const node of program.inputs) {
    const name = stepName(node.attributes.name, step);
    graph.input(name, node.dtype, node.shape);
    values.set(node, name);
  }
  let counted: string | undefined;
  const rows = (): string => {
    counted ??= countRows(graph, program.inputs, values);
    return counted;
  };
  for (const node of reach([...Object.values(program.outputs), ...program.updates.map(([, next]) => next)])) {
    if (values.has(node)) continue;
    const lower = lowerings[node.op] as (typeof lowerings)[Primitive] as (...args: unknown[]) => string;
    values.set(
      node,
      lower(
        { graph, target, rows },
        node,
        node.inputs.map((x) => values.get(x)!),
      ),
    );
  }
  return values;
}

/** n, read off the first input that has it. */
function countRows(graph: OnnxGraph, inputs: readonly Input[], values: ReadonlyMap<Node, string>): string {
  const source = inputs.find(({ shape }) => shape.includes("n"));
  if (!source) throw new TypeError("compile: a formula depends on n, but no input does");
  const axis = source.shape.indexOf("n");
  return graph.node("Shape", [values.get(source)!], { start: axis, end: axis + 1 });
}
