/** Reading ONNX: what a model takes and gives, whoever wrote it, and a smaller model with some of its outputs. */

import { toBinary } from "@bufbuild/protobuf";
import { type ModelProto, ModelProtoSchema, type NodeProto, type ValueInfoProto } from "onnx-buf";
import { parsed } from "./parsed.ts";

/** A value that enters or leaves: a size is a number, or a name where it varies. */
export interface OnnxValue {
  readonly name: string;
  readonly shape: readonly (number | string)[];
}

export interface OnnxDescription {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly metadata: Readonly<Record<string, string>>;
}

export const notOnnx = "the bytes are not an ONNX model: damaged, or something else";

/** The model that the bytes of a file are. */
export function readOnnx(bytes: Uint8Array): ModelProto {
  const model = parsed(bytes);
  if (!model) throw new TypeError(`onnx: ${notOnnx}`);
  return model;
}

/** The bytes of a model that was read and changed; new ones are written by `OnnxGraph` (write.ts). */
export function writeOnnx(model: ModelProto): Uint8Array {
  return toBinary(ModelProtoSchema, model);
}

/** What a model takes and gives, and what it says about itself. */
export function describeOnnx(bytes: Uint8Array): OnnxDescription {
  const model = readOnnx(bytes);
  const { output } = model.graph!;
  return {
    inputs: inputsOf(model).map(described),
    outputs: output.map(described),
    metadata: Object.fromEntries(model.metadataProps.map(({ key, value }) => [key, value])),
  };
}

/** What has to be fed: old files list their weights among the inputs. */
export function inputsOf({ graph }: ModelProto): ValueInfoProto[] {
  const weights = new Set(graph!.initializer.map(({ name }) => name));
  return graph!.input.filter(({ name }) => !weights.has(name));
}

/** The same model with only some of its outputs, and nothing in it that they do not need. */
export function withOutputs(bytes: Uint8Array, names: readonly string[]): Uint8Array {
  const model = readOnnx(bytes);
  const graph = model.graph!;
  graph.output = names.map((name) => {
    const found = graph.output.find((output) => output.name === name);
    if (found) return found;
    throw new RangeError(
      `onnx: the model has no output ${name}; it has ${graph.output.map((output) => output.name).join(", ")}`,
    );
  });
  const needed = new Set(names);
  // The nodes are in an order in which each comes after what it needs.
  graph.node = graph.node
    .reverse()
    .filter((node) => {
      if (!node.output.some((name) => needed.has(name))) return false;
      for (const name of needsOf(node)) needed.add(name);
      return true;
    })
    .reverse();
  graph.initializer = graph.initializer.filter(({ name }) => needed.has(name));
  return writeOnnx(model);
}

/** What a node reads; the bodies of loops and branches also read what is around them. */
function needsOf({ input, attribute }: NodeProto): string[] {
  const bodies = attribute.flatMap(({ g, graphs }) => (g ? [g, ...graphs] : graphs));
  return [
    ...input,
    ...bodies.flatMap(({ node, output }) => [...node.flatMap(needsOf), ...output.map(({ name }) => name)]),
  ];
}

function described({ name, type }: ValueInfoProto): OnnxValue {
  const dims = type?.value.case === "tensorType" ? (type.value.value.shape?.dim ?? []) : [];
  return {
    name,
    shape: dims.map(({ value }) => (value.case === "dimValue" ? Number(value.value) : (value.value ?? "?"))),
  };
}
