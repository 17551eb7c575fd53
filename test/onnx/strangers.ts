/** Models as strangers send them, by hand: what our own writer would never write. */

import { create, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  type ModelProto,
  ModelProtoSchema,
  type NodeProto,
  type TensorProto,
} from "onnx-buf";

type Init = NonNullable<Parameters<typeof create<typeof ModelProtoSchema>>[1]>;
type GraphInit = NonNullable<Init["graph"]>;

export function tensorOf(name: string, dims: readonly number[], values: readonly number[]): Partial<TensorProto> {
  const rawData = new Uint8Array(new Float32Array(values).buffer);
  return { name, dims: dims.map(BigInt), dataType: DataType.FLOAT, rawData };
}

export function integersOf(name: string, values: readonly (number | bigint)[], scalar = false): Partial<TensorProto> {
  const rawData = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return { name, dims: scalar ? [] : [BigInt(values.length)], dataType: DataType.INT64, rawData };
}

export function yes(name: string): Partial<TensorProto> {
  return { name, dims: [], dataType: DataType.BOOL, rawData: new Uint8Array([1]) };
}

export function node(
  opType: string,
  input: readonly string[],
  output: readonly string[],
  more: { attribute?: readonly object[]; domain?: string; name?: string } = {},
): NodeProto {
  return { opType, input: [...input], output: [...output], ...more } as unknown as NodeProto;
}

export const integer = (name: string, i: number | bigint): object => ({ name, type: AttributeType.INT, i: BigInt(i) });
export const several = (name: string, ints: readonly number[]): object => ({
  name,
  type: AttributeType.INTS,
  ints: ints.map(BigInt),
});
export const body = (name: string, g: object): object => ({ name, type: AttributeType.GRAPH, g });

export function value(name: string, dims: readonly (number | string)[], elemType: number = DataType.FLOAT): object {
  const dim = dims.map((size) => ({
    value:
      typeof size === "number"
        ? { case: "dimValue" as const, value: BigInt(size) }
        : { case: "dimParam" as const, value: size },
  }));
  return { name, type: { value: { case: "tensorType" as const, value: { elemType, shape: { dim } } } } };
}

/** A model of rows x [n, 4], features y. */
export function model(graph: object, more: object = {}): Uint8Array {
  const whole = {
    irVersion: 8n,
    opsetImport: [
      { domain: "", version: 17n },
      { domain: "com.microsoft", version: 1n },
    ],
    graph: { name: "g", input: [value("x", ["n", 4])], output: [value("y", ["n", 4])], ...graph } as GraphInit,
    ...more,
  } as Init;
  return toBinary(ModelProtoSchema, create(ModelProtoSchema, whole) as ModelProto);
}

/** y = x·W, with the weights in another file. */
export function withDataIn(location: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const entries = Object.entries({ location, offset: "16", length: "64", ...more }).filter(([, said]) => said !== "");
  const externalData = entries.map(([key, value]) => ({ key, value }));
  const weights = { name: "w", dims: [4n, 4n], dataType: DataType.FLOAT, dataLocation: 1, externalData };
  return model({ node: [node("MatMul", ["x", "w"], ["y"])], initializer: [weights] });
}

/** A loop over x that adds one each time; without `trips` it never ends. */
export function looping(trips?: Partial<TensorProto>, before: readonly NodeProto[] = []): Uint8Array {
  const turn = {
    name: "turn",
    input: [value("i", [], DataType.INT64), value("go", [], DataType.BOOL), value("a", ["n", 4])],
    output: [value("go on", [], DataType.BOOL), value("b", ["n", 4])],
    node: [node("Identity", ["go"], ["go on"]), node("Add", ["a", "one"], ["b"])],
  };
  const count = trips ? trips.name! : before.length > 0 ? "trips" : "";
  return model({
    node: [...before, node("Loop", [count, "yes", "x"], ["y"], { name: "turning", attribute: [body("body", turn)] })],
    initializer: [tensorOf("one", [1], [1]), yes("yes"), ...(trips ? [trips] : [])],
  });
}
