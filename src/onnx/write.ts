/** Writing ONNX: a model under construction, node by node, and its bytes. */

import { create, toBinary } from "@bufbuild/protobuf";
import {
  type AttributeProto,
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  ModelProtoSchema,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from "onnx-buf";
import type { Shape } from "../graph/size.ts";
import { type DType, fromNumbers, type Tensor } from "../tensor/tensor.ts";

/** Operation set 17 and format 8 (2022) have all that is needed, and every current runtime reads them. */
const opset = 17n;
const irVersion = 8n;

export const dataTypes: { [D in DType]: DataType } = {
  float32: DataType.FLOAT,
  float64: DataType.DOUBLE,
  int64: DataType.INT64,
  int32: DataType.INT32,
  uint8: DataType.UINT8,
  bool: DataType.BOOL,
};

/** A plain number is an integer attribute, an array is integers; a float is marked. */
export type Attribute = number | string | readonly number[] | { float: number };

// The generated message types carry bookkeeping fields that `create` fills in.
type Plain<T> = Omit<Partial<T>, "$typeName" | "$unknown">;

export class OnnxGraph {
  readonly #nodes: (Plain<NodeProto> & Pick<NodeProto, "input" | "output">)[] = [];
  readonly #initializers: Plain<TensorProto>[] = [];
  readonly #inputs: Plain<ValueInfoProto>[] = [];
  readonly #outputs: Plain<ValueInfoProto>[] = [];
  readonly #constants = new Map<string, string>();
  readonly #made = new Set<string>();
  readonly #renamed = new Map<string, string>();
  #count = 0;

  /** Adds a node and returns the name of its result. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
    name = this.#fresh(),
  ): string {
    this.#nodes.push({
      opType: op,
      name,
      input: [...inputs],
      output: [name],
      attribute: Object.entries(attributes).map(([key, value]) => attribute(key, value)) as AttributeProto[],
    });
    this.#made.add(name);
    return name;
  }

  /** A fixed tensor under a name of its own. */
  initializer(name: string, t: Tensor): string {
    this.#initializers.push({
      name,
      dims: t.shape.map(BigInt),
      dataType: dataTypes[t.dtype],
      rawData: new Uint8Array(t.data.buffer as ArrayBuffer, t.data.byteOffset, t.data.byteLength),
    });
    return name;
  }

  /** A fixed tensor; small equal ones are stored once. */
  constant(t: Tensor): string {
    if (t.data.length > 64) return this.initializer(this.#fresh(), t);
    const key = `${t.dtype}[${t.shape}]${Array.from(t.data as ArrayLike<number | bigint>, (v) => (Object.is(v, -0) ? "-0" : v))}`;
    let name = this.#constants.get(key);
    if (!name) {
      name = this.initializer(this.#fresh(), t);
      this.#constants.set(key, name);
    }
    return name;
  }

  /** A one-dimensional int64 constant, which is how ONNX takes axes, shapes and positions. */
  integers(values: readonly number[]): string {
    return this.constant(fromNumbers("int64", [values.length], values));
  }

  input(name: string, dtype: DType, shape: Shape): void {
    this.#inputs.push(valueInfo(name, dtype, shape));
  }

  /** Lets a value leave the graph under a name. The node that makes it takes the name, so that nothing is copied. */
  output(name: string, value: string, dtype: DType, shape: Shape): void {
    this.#outputs.push(valueInfo(name, dtype, shape));
    if (!this.#made.has(value) || this.#renamed.has(value)) this.node("Identity", [value], {}, name);
    else this.#renamed.set(value, name);
  }

  bytes(metadata: Record<string, string> = {}): Uint8Array {
    const model = {
      irVersion,
      producerName: "telltale",
      opsetImport: [{ domain: "", version: opset }],
      metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      graph: {
        name: "telltale",
        node: this.#nodes.map((node) => ({
          ...node,
          input: this.#named(node.input),
          output: this.#named(node.output),
        })),
        initializer: this.#initializers,
        input: this.#inputs,
        output: this.#outputs,
      },
    };
    return toBinary(
      ModelProtoSchema,
      create(ModelProtoSchema, model as Parameters<typeof create<typeof ModelProtoSchema>>[1]),
    );
  }

  #named(values: readonly string[]): string[] {
    return values.map((value) => this.#renamed.get(value) ?? value);
  }

  // A colon cannot occur in a name of the program's, so these never collide with one.
  #fresh(): string {
    return `:${this.#count++}`;
  }
}

function attribute(name: string, value: Attribute): Plain<AttributeProto> {
  if (typeof value === "number") return { name, type: AttributeType.INT, i: BigInt(value) };
  if (typeof value === "string") return { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) };
  if ("float" in value) return { name, type: AttributeType.FLOAT, f: value.float };
  return { name, type: AttributeType.INTS, ints: value.map(BigInt) };
}

function valueInfo(name: string, dtype: DType, shape: Shape): Plain<ValueInfoProto> {
  const dim = shape.map((size) => ({
    value:
      typeof size === "number"
        ? { case: "dimValue" as const, value: BigInt(size) }
        : { case: "dimParam" as const, value: size },
  }));
  const tensorType = { elemType: dataTypes[dtype], shape: { dim } };
  return { name, type: { value: { case: "tensorType", value: tensorType } } } as unknown as Plain<ValueInfoProto>;
}
