/** Joining ONNX: a frozen encoder and the clusters behind it as one model: whoever has the rows needs nothing else. */

import { create } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType as AttributeType,
  type GraphProto,
  type ModelProto,
  NodeProtoSchema,
  StringStringEntryProtoSchema,
  type TypeProto,
  type ValueInfoProto,
} from "onnx-buf";
import { describeOnnx, inputsOf, readOnnx, writeOnnx } from "./read.ts";

/** No name of a program has a colon in it, and every name of the encoder begins with `encoder/`. */
const features = "encoder:features";

/**
 * The encoder's input becomes `x`, its first output, flattened to [n, d], the cluster model's. Nothing where that is
 * not one model: the two must be written in the same version of ONNX's operations, and the encoder must have one input.
 */
export function joinOnnx(encoder: Uint8Array, model: Uint8Array): Uint8Array | undefined {
  const [first, second] = [readOnnx(encoder), readOnnx(model)];
  const inputs = inputsOf(first);
  const output = first.graph!.output[0];
  const opsets = mergedOpsets(first, second);
  if (inputs.length !== 1 || !output || !opsets) return undefined;
  const input = inputs[0]!;

  const renaming = new Renaming(input.name);
  renaming.renameGraph(first.graph!);
  const flatten = create(NodeProtoSchema, {
    opType: "Flatten",
    name: features,
    input: [output.name],
    output: [features],
    attribute: [{ name: "axis", type: AttributeType.INT, i: 1n }],
  });
  for (const node of second.graph!.node) node.input = node.input.map((name) => (name === "x" ? features : name));
  nameRows(input);
  second.graph!.input = [input];
  second.graph!.node.unshift(...first.graph!.node, flatten);
  second.graph!.initializer.unshift(...first.graph!.initializer);
  second.graph!.sparseInitializer.unshift(...first.graph!.sparseInitializer);
  second.graph!.quantizationAnnotation.unshift(...first.graph!.quantizationAnnotation);
  second.functions.unshift(...first.functions);
  second.opsetImport = opsets;
  if (first.irVersion > second.irVersion) second.irVersion = first.irVersion;
  describeRow(second, encoder);
  return writeOnnx(second);
}

/** One version of each domain, or nothing where they differ. Two names stand for the default domain. */
function mergedOpsets(a: ModelProto, b: ModelProto): ModelProto["opsetImport"] | undefined {
  const merged = new Map<string, ModelProto["opsetImport"][number]>();
  for (const opset of [...b.opsetImport, ...a.opsetImport]) {
    const domain = opset.domain === "ai.onnx" ? "" : opset.domain;
    const there = merged.get(domain);
    if (there && there.version !== opset.version) return undefined;
    if (!there) merged.set(domain, opset);
  }
  return [...merged.values()];
}

/** Prefixes all names of the encoder, in the bodies of its loops and branches too; its input alone becomes `x`. */
class Renaming {
  readonly #input: string;

  constructor(input: string) {
    this.#input = input;
  }

  /** An empty name is an input that is left out. */
  #renamed(name: string): string {
    if (name === "") return name;
    return name === this.#input ? "x" : `encoder/${name}`;
  }

  renameGraph(graph: GraphProto): void {
    // Shapes of values on the way are found again by whoever runs it.
    graph.valueInfo = [];
    for (const node of graph.node) {
      node.name = this.#renamed(node.name);
      node.input = node.input.map((name) => this.#renamed(name));
      node.output = node.output.map((name) => this.#renamed(name));
      for (const { g, graphs } of node.attribute)
        for (const body of g ? [g, ...graphs] : graphs) this.renameGraph(body);
    }
    const tensors = [...graph.initializer, ...graph.sparseInitializer.flatMap(({ values }) => values ?? [])];
    for (const named of [...tensors, ...graph.input, ...graph.output]) named.name = this.#renamed(named.name);
    for (const { type } of [...graph.input, ...graph.output]) this.#renameSizes(type);
    for (const annotation of graph.quantizationAnnotation) {
      annotation.tensorName = this.#renamed(annotation.tensorName);
      for (const entry of annotation.quantParameterTensorNames) entry.value = this.#renamed(entry.value);
    }
  }

  /** Its `n` need not be ours. */
  #renameSizes(type: TypeProto | undefined): void {
    for (const { value } of sizesOf(type)) if (value.case === "dimParam") value.value = `encoder/${value.value}`;
  }
}

function sizesOf(type: TypeProto | undefined) {
  return type?.value.case === "tensorType" ? (type.value.value.shape?.dim ?? []) : [];
}

/** Rows are counted by n, here as everywhere. */
function nameRows({ type }: ValueInfoProto): void {
  const [rows] = sizesOf(type);
  if (rows && rows.value.case !== "dimValue") rows.value = { case: "dimParam", value: "n" };
}

/** The metadata tells the shape of a row: now it is the encoder's, where that is fixed. */
function describeRow(model: ModelProto, encoder: Uint8Array): void {
  const row = describeOnnx(encoder).inputs[0]!.shape.slice(1);
  model.metadataProps = model.metadataProps.filter(({ key }) => key !== "row" && key !== "input");
  if (row.length > 0 && row.every((size) => typeof size === "number")) {
    model.metadataProps.push(create(StringStringEntryProtoSchema, { key: "row", value: JSON.stringify(row) }));
  }
}
