/** The tensors of an ONNX model: where they are, whether they are whole, and those that lie in files beside it. */

import {
  type AttributeProto,
  TensorProto_DataLocation as DataLocation,
  TensorProto_DataType as DataType,
  type GraphProto,
  type ModelProto,
  type NodeProto,
  type SparseTensorProto,
  type TensorProto,
} from "onnx-buf";

/** The most elements that one tensor may have: a gigabyte of float32. */
export const mostElements = 2 ** 28;

/** All of them, in the bodies of loops, branches and functions too. */
export function* tensorsOf(model: ModelProto): Generator<TensorProto> {
  yield* inGraph(model.graph!);
  for (const { node, attributeProto } of model.functions) {
    yield* inAttributes(attributeProto);
    for (const each of node) yield* inAttributes(each.attribute);
  }
}

function* inGraph(graph: GraphProto): Generator<TensorProto> {
  yield* graph.initializer;
  for (const sparse of graph.sparseInitializer) yield* inSparse(sparse);
  for (const { attribute } of graph.node) yield* inAttributes(attribute);
}

function* inAttributes(attributes: readonly AttributeProto[]): Generator<TensorProto> {
  for (const { t, tensors, sparseTensor, sparseTensors, g, graphs } of attributes) {
    if (t) yield t;
    yield* tensors;
    for (const sparse of sparseTensor ? [sparseTensor, ...sparseTensors] : sparseTensors) yield* inSparse(sparse);
    for (const body of g ? [g, ...graphs] : graphs) yield* inGraph(body);
  }
}

function* inSparse({ values, indices }: SparseTensorProto): Generator<TensorProto> {
  if (values) yield values;
  if (indices) yield indices;
}

/** The graphs that an attribute carries. */
export function bodiesOf({ attribute }: NodeProto): GraphProto[] {
  return attribute.flatMap(({ g, graphs }) => (g ? [g, ...graphs] : graphs));
}

/** Where the numbers of a tensor lie, if that is another file. */
export interface ExternalData {
  readonly location: string;
  readonly offset: number;
  /** By default to the end of the file. */
  readonly length?: number;
}

export function externalDataOf({ dataLocation, externalData }: TensorProto): ExternalData | undefined {
  if (dataLocation !== DataLocation.EXTERNAL && externalData.length === 0) return undefined;
  const said = new Map(externalData.map(({ key, value }) => [key, value]));
  const length = said.get("length");
  return {
    location: said.get("location") ?? "",
    offset: Number(said.get("offset") ?? 0),
    ...(length !== undefined && { length: Number(length) }),
  };
}

/** Puts the numbers of a tensor into the model. */
export function takeIn(tensor: TensorProto, bytes: Uint8Array): void {
  tensor.rawData = bytes as Uint8Array<ArrayBuffer>;
  tensor.externalData = [];
  tensor.dataLocation = DataLocation.DEFAULT;
}

const typedFields = ["floatData", "int32Data", "int64Data", "doubleData", "uint64Data", "stringData"] as const;

/** Bits of an element; and where it is not among raw bytes, the field that has it, in so many values. */
type Layout = readonly [bits: number, field: (typeof typedFields)[number], values: number];

const layouts: { readonly [type: number]: Layout | undefined } = {
  [DataType.FLOAT]: [32, "floatData", 1],
  [DataType.COMPLEX64]: [64, "floatData", 2],
  [DataType.DOUBLE]: [64, "doubleData", 1],
  [DataType.COMPLEX128]: [128, "doubleData", 2],
  [DataType.INT64]: [64, "int64Data", 1],
  [DataType.UINT64]: [64, "uint64Data", 1],
  [DataType.UINT32]: [32, "uint64Data", 1],
  [DataType.STRING]: [0, "stringData", 1],
  [DataType.INT32]: [32, "int32Data", 1],
  [DataType.INT16]: [16, "int32Data", 1],
  [DataType.UINT16]: [16, "int32Data", 1],
  [DataType.FLOAT16]: [16, "int32Data", 1],
  [DataType.BFLOAT16]: [16, "int32Data", 1],
  [DataType.INT8]: [8, "int32Data", 1],
  [DataType.UINT8]: [8, "int32Data", 1],
  [DataType.BOOL]: [8, "int32Data", 1],
  [DataType.FLOAT8E4M3FN]: [8, "int32Data", 1],
  [DataType.FLOAT8E4M3FNUZ]: [8, "int32Data", 1],
  [DataType.FLOAT8E5M2]: [8, "int32Data", 1],
  [DataType.FLOAT8E5M2FNUZ]: [8, "int32Data", 1],
  [DataType.FLOAT8E8M0]: [8, "int32Data", 1],
  [DataType.INT4]: [4, "int32Data", 1 / 2],
  [DataType.UINT4]: [4, "int32Data", 1 / 2],
  [DataType.FLOAT4E2M1]: [4, "int32Data", 1 / 2],
  [DataType.INT2]: [2, "int32Data", 1 / 4],
  [DataType.UINT2]: [2, "int32Data", 1 / 4],
};

/** What is wrong with a tensor, in words: it must lie in the file, and have as many numbers as its shape says. */
export function wrongIn(tensor: TensorProto): string | undefined {
  const external = externalDataOf(tensor);
  if (external) {
    return `its numbers must be in the file itself, got external data in ${JSON.stringify(external.location.slice(0, 80))}`;
  }
  if (tensor.segment) return "it must be whole, got a segment";
  const layout = layouts[tensor.dataType];
  if (!layout) return `its type must be one of ONNX, got ${tensor.dataType}`;
  const elements = elementsOf(tensor.dims);
  if (!(room(tensor.dims.map(Number)) <= mostElements)) {
    return `it must have at most ${mostElements} elements, got [${tensor.dims.slice(0, 8)}]`;
  }
  const [bits, field, each] = layout;
  const raw = tensor.rawData.length;
  const filled = typedFields.filter((name) => tensor[name].length > 0);
  const isRaw = raw > 0 || (filled.length === 0 && field !== "stringData");
  const wanted = isRaw ? Math.ceil((elements * bits) / 8) : Math.ceil(elements * each);
  const got = isRaw ? raw : tensor[field].length;
  const others = isRaw ? filled : filled.filter((name) => name !== field);
  if (got === wanted && others.length === 0) return undefined;
  return `its shape [${tensor.dims.slice(0, 8)}] must be that of its data, ${wanted} ${isRaw ? "bytes" : "values"}, got ${got}`;
}

function elementsOf(dims: readonly bigint[]): number {
  return dims.reduce((product, size) => product * Number(size), 1);
}

/** The product of sizes. An empty one counts as one: what is beside it can be asked for, as a shape. */
export function room(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => (size < 0 ? Number.NaN : product * Math.max(1, size)), 1);
}

/** The numbers of a small tensor that lies in the file; those of a shape, for one. */
export function smallNumbers({ dims, dataType, rawData, ...typed }: TensorProto): number[] | undefined {
  if (elementsOf(dims) > 64) return undefined;
  const view = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength);
  const read = <T>(size: number, at: (offset: number) => T): number[] =>
    Array.from({ length: Math.floor(rawData.length / size) }, (_, i) => Number(at(i * size)));
  if (dataType === DataType.INT64) {
    return rawData.length > 0 ? read(8, (at) => view.getBigInt64(at, true)) : typed.int64Data.map(Number);
  }
  if (dataType === DataType.INT32) {
    return rawData.length > 0 ? read(4, (at) => view.getInt32(at, true)) : [...typed.int32Data];
  }
  if (dataType === DataType.FLOAT) {
    return rawData.length > 0 ? read(4, (at) => view.getFloat32(at, true)) : [...typed.floatData];
  }
  if (dataType === DataType.DOUBLE) {
    return rawData.length > 0 ? read(8, (at) => view.getFloat64(at, true)) : [...typed.doubleData];
  }
  return undefined;
}
