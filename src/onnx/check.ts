/**
 * ONNX that somebody else has written, looked at before it is opened: known operators, whole tensors, sizes within
 * bounds, and no loop without an end. What only shows when it runs is bounded where it runs (`Device.openForeign`).
 */

import type { AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto } from "onnx-buf";
import { growth } from "./growth.ts";
import { domainOf, isKnownOperator } from "./operators.ts";
import { notOnnx, readOnnx } from "./read.ts";
import { bodiesOf, mostElements, room, smallNumbers, tensorsOf, wrongIn } from "./tensors.ts";

/** Nodes, once every call of a function is written out. */
const mostNodes = 2 ** 18;
/** Rounds of a loop, those of the loops around it counted in. */
const mostRounds = 2 ** 20;
const withBodies = new Set(["If", "Loop", "Scan", "SequenceMap"]);

/** Fails unless the bytes are a model that can be opened; `where` is what people call it. */
export function checkOnnx(bytes: Uint8Array, where: string): void {
  let model: ModelProto;
  try {
    model = readOnnx(bytes);
  } catch {
    throw new TypeError(`${where}: ${notOnnx}`);
  }
  try {
    new Check(model).run();
  } catch (error) {
    // Of functions that call functions, and so on, there may be more than the stack holds.
    const reason = error instanceof RangeError ? "is nested too deeply" : (error as Error).message;
    throw new TypeError(`${where}: ${reason}`);
  }
}

/** What the names of a graph stand for, as far as it can be known before it runs. */
interface Scope {
  readonly outer?: Scope;
  readonly tensors: ReadonlyMap<string, TensorProto>;
  readonly makers: ReadonlyMap<string, NodeProto>;
  /** What is given to it from outside, whatever has that name there. */
  readonly given: ReadonlySet<string>;
  /** How often the graph is run at most. */
  readonly rounds: number;
}

class Check {
  readonly #model: ModelProto;
  readonly #functions: ReadonlyMap<string, FunctionProto>;
  /** Nodes of each function, written out; 0 while they are being counted. */
  readonly #sizes = new Map<FunctionProto, number>();

  constructor(model: ModelProto) {
    this.#model = model;
    this.#functions = new Map(model.functions.map((each) => [called(each.domain, each.name), each]));
  }

  run(): void {
    const { graph, functions, trainingInfo } = this.#model;
    if (trainingInfo.length > 0) throw new Error("must not bring training of its own (training_info); export it again");
    const sizes = functions.map((each) => this.#sizeOfFunction(each));
    const nodes = this.#sizeOf(graph!.node) + sizes.reduce((sum, size) => sum + size, 0);
    if (!(nodes <= mostNodes)) throw new Error(`must have at most ${mostNodes} nodes, its functions written out`);
    for (const each of functions) this.#checkFunction(each);
    for (const tensor of tensorsOf(this.#model)) {
      const wrong = wrongIn(tensor);
      if (wrong) throw new Error(`the tensor ${quoted(tensor.name)}: ${wrong}`);
    }
    for (const { name, type } of [...graph!.input, ...graph!.output]) {
      const dims = type?.value.case === "tensorType" ? (type.value.value.shape?.dim ?? []) : [];
      const sizes = dims.map(({ value }) => (value.case === "dimValue" ? Number(value.value) : 1));
      // Exporters write -1 for a size that varies.
      if (!(room(sizes.map((size) => (size === -1 ? 1 : size))) <= mostElements)) {
        throw new Error(`${quoted(name)}: must have at most ${mostElements} elements a row, got [${sizes}]`);
      }
    }
    this.#checkGraph(graph!, 1);
  }

  #checkFunction(each: FunctionProto): void {
    if (isKnownOperator(each.domain, each.name)) {
      throw new Error(`the function ${quoted(each.name)}: must not have the name of an operator of ONNX`);
    }
    this.#checkCall(each, 1);
  }

  /** What its caller gives it is not known: a loop in it must be bounded by itself. */
  #checkCall(each: FunctionProto, rounds: number): void {
    this.#checkNodes(each.node, scopeOf(each, [], { rounds }));
  }

  #checkGraph(graph: GraphProto, rounds: number, outer?: Scope): void {
    for (const { dims } of graph.sparseInitializer) checkElements("a sparse initializer", dims);
    const given = graph.input.map(({ name }) => name);
    const around = { rounds, ...(outer && { outer }) };
    this.#checkNodes(graph.node, scopeOf({ input: given, node: graph.node }, graph.initializer, around));
  }

  #checkNodes(nodes: readonly NodeProto[], scope: Scope): void {
    nodes.forEach((node, i) => {
      try {
        this.#checkNode(node, scope);
      } catch (error) {
        throw error instanceof Located ? error : new Located(node, i, (error as Error).message);
      }
    });
  }

  #checkNode(node: NodeProto, scope: Scope): void {
    const { domain, opType, attribute } = node;
    const own = this.#functions.get(called(domain, opType));
    if (own) this.#checkCall(own, scope.rounds);
    else if (!isKnownOperator(domain, opType)) {
      const from = domainOf(domain) === "" ? "ONNX's operators" : `the operators of ${quoted(domain)} that are opened`;
      throw new Error(`is none of ${from}; export the model with standard operators alone`);
    }
    for (const { sparseTensor, sparseTensors } of attribute) {
      for (const { dims } of sparseTensor ? [sparseTensor, ...sparseTensors] : sparseTensors) {
        checkElements("its sparse tensor", dims);
      }
    }
    const grows = isKnownOperator(domain, opType) ? growth[opType] : undefined;
    const asked = grows?.(
      (input) => constantOf(node.input[input], scope),
      (name) => integersOf(attribute, name),
    );
    if (asked !== undefined && !(asked <= mostElements)) {
      throw new Error(`must make at most ${mostElements} elements, got ${asked}`);
    }
    const bodies = bodiesOf(node);
    if (bodies.length === 0) return;
    if (domainOf(domain) !== "" || !withBodies.has(opType)) throw new Error("must not carry a graph");
    const rounds = scope.rounds * (opType === "Loop" ? roundsOf(node, scope) : 1);
    if (rounds > mostRounds) throw new Error(`must end after ${mostRounds} rounds in all, got ${rounds}`);
    for (const body of bodies) this.#checkGraph(body, rounds, scope);
  }

  /** Nodes, with functions written out where they are called: they must not call themselves. */
  #sizeOf(nodes: readonly NodeProto[]): number {
    let size = 0;
    for (const node of nodes) {
      const bodies = bodiesOf(node).reduce((sum, body) => sum + this.#sizeOf(body.node), 0);
      const each = this.#functions.get(called(node.domain, node.opType));
      size += 1 + bodies + (each ? this.#sizeOfFunction(each) : 0);
    }
    return size;
  }

  #sizeOfFunction(each: FunctionProto): number {
    const known = this.#sizes.get(each);
    if (known === 0) throw new Error(`the function ${quoted(each.name)}: must not call itself`);
    if (known !== undefined) return known;
    this.#sizes.set(each, 0);
    const size = Math.max(1, this.#sizeOf(each.node));
    this.#sizes.set(each, size);
    return size;
  }
}

/** An error that says at which node. */
class Located extends Error {
  constructor({ name, opType }: NodeProto, i: number, message: string) {
    super(`${name ? `the node ${quoted(name)}` : `node ${i}`} (${quoted(opType)}): ${message}`);
  }
}

/** A function is found by both. */
function called(domain: string, name: string): string {
  return JSON.stringify([domainOf(domain), name]);
}

function scopeOf(
  { input, node: nodes }: Pick<FunctionProto, "input" | "node">,
  initializers: readonly TensorProto[],
  around: Pick<Scope, "outer" | "rounds">,
): Scope {
  return {
    ...around,
    tensors: new Map(initializers.map((tensor) => [tensor.name, tensor])),
    makers: new Map(nodes.flatMap((node) => node.output.map((name) => [name, node] as const))),
    given: new Set(input),
  };
}

/** How often a loop turns at most: a number in the file, or a size of something that is there. */
function roundsOf({ input }: NodeProto, scope: Scope): number {
  const [trips] = constantOf(input[0], scope) ?? [];
  // One below zero may have been very large before it was cast.
  if (trips !== undefined && trips >= 0) return Math.max(1, trips);
  if (isSize(input[0], scope)) return 1;
  throw new Error("must say after how many rounds it ends, as a constant; loops without an end are not opened");
}

/** Operators that give the numbers they are given. */
const passing = new Set(["Identity", "Cast", "Squeeze", "Unsqueeze", "Reshape", "Flatten"]);
/** And those that give some of them. */
const choosing = new Set([...passing, "Gather", "Slice", "Split", "ReduceMin"]);
const longestWay = 32;

/** The numbers of a small value that is fixed in the file. */
function constantOf(name: string | undefined, scope: Scope, way = longestWay): number[] | undefined {
  const found = findIn(name, scope);
  if (!found || way === 0) return undefined;
  if ("tensor" in found) return smallNumbers(found.tensor);
  const { node } = found;
  if (domainOf(node.domain) !== "") return undefined;
  if (passing.has(node.opType)) return constantOf(node.input[0], found.scope, way - 1);
  if (node.opType !== "Constant") return undefined;
  const [value] = node.attribute;
  if (!value) return undefined;
  if (value.t) return smallNumbers(value.t);
  if (value.name === "value_float") return [value.f];
  if (value.name === "value_floats") return [...value.floats];
  return integersOf(node.attribute, value.name);
}

/** Whether a value is, or was chosen of, the sizes of another one. */
function isSize(name: string | undefined, scope: Scope, way = longestWay): boolean {
  const found = findIn(name, scope);
  if (!found || way === 0 || "tensor" in found || domainOf(found.node.domain) !== "") return false;
  const { opType, input } = found.node;
  if (opType === "Shape" || opType === "Size" || opType === "SequenceLength") return true;
  return choosing.has(opType) && isSize(input[0], found.scope, way - 1);
}

type Found = { readonly scope: Scope } & ({ readonly tensor: TensorProto } | { readonly node: NodeProto });

function findIn(name: string | undefined, scope: Scope | undefined): Found | undefined {
  if (!name) return undefined;
  for (let at = scope; at; at = at.outer) {
    const [tensor, node] = [at.tensors.get(name), at.makers.get(name)];
    if (tensor) return { scope: at, tensor };
    if (node) return { scope: at, node };
    if (at.given.has(name)) return undefined;
  }
  return undefined;
}

function integersOf(attributes: readonly AttributeProto[], name: string): number[] | undefined {
  const found = attributes.find((attribute) => attribute.name === name);
  if (found?.refAttrName !== "") return undefined;
  if (found.floats.length > 0) return [...found.floats];
  return found.ints.length > 0 ? found.ints.map(Number) : [Number(found.i)];
}

function checkElements(what: string, dims: readonly bigint[]): void {
  if (!(room(dims.map(Number)) <= mostElements)) {
    throw new Error(`${what} must have at most ${mostElements} elements, got [${dims.slice(0, 8)}]`);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
