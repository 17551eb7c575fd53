import { create } from "@bufbuild/protobuf";
import { OperatorSetIdProtoSchema } from "onnx-buf";
import { describe, expect, it } from "vitest";
import { reshape } from "../../src/graph/arrange.ts";
import { add, relu } from "../../src/graph/elementwise.ts";
import { constant, input } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { joinOnnx } from "../../src/onnx/join.ts";
import { describeOnnx, readOnnx, withOutputs, writeOnnx } from "../../src/onnx/read.ts";
import { compile } from "../../src/runtime/compile.ts";
import { cpu } from "../../src/runtime/native.ts";
import { program } from "../../src/runtime/program.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";

const { runtime } = await cpu.find();

/** Somebody's encoder: rows of four numbers to features [2, 2], with names that the cluster model has too. */
const mixing = constant(fromNumbers("float32", [4, 4], [1, -2, 0, 1, 3, 1, -1, 0, 0, 2, 2, 1, 1, 1, 1, -3]));
const encoder = compile(
  program({ outputs: { label: reshape(relu(matmul(input("pixels", ["n", 4]), mixing)), ["n", 2, 2]) } }),
);

/** A stand-in for clusters: of features x [n, 4]. */
const x = input("x", ["n", 4]);
const sums = matmul(x, constant(fromNumbers("float32", [4, 3], [1, 0, 2, 0, 1, 1, 1, 0, 0, 3, 1, 0])));
const model = compile(program({ outputs: { distances: sums, z: add(x, 1) } }), {
  metadata: { producer: "telltale", row: "[4]", input: "features of encoder.onnx" },
});

const given = Float32Array.from({ length: 20 }, (_, i) => Math.sin(i));

async function run(bytes: Uint8Array, data: Float32Array, shape: number[]): Promise<Record<string, Float32Array>> {
  const session = await runtime.InferenceSession.create(bytes);
  const results = await session.run({ [session.inputNames[0]!]: new runtime.Tensor("float32", data, shape) });
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]));
}

describe("an encoder and the clusters behind it, joined", () => {
  it("give as one model what they give one after the other", async () => {
    const features = await run(encoder, given, [5, 4]);
    const apart = await run(model, features.label!, [5, 4]);
    const joined = joinOnnx(encoder, model)!;
    expect(await run(joined, given, [5, 4])).toEqual(apart);
  });

  it("take the encoder's rows under the name x, and say so", () => {
    const { inputs, outputs, metadata } = describeOnnx(joinOnnx(encoder, model)!);
    expect(inputs).toEqual([{ name: "x", shape: ["n", 4] }]);
    expect(outputs.map(({ name }) => name)).toEqual(["distances", "z"]);
    expect(metadata).toEqual({ producer: "telltale", row: "[4]" });
  });

  it("have no names in common", () => {
    const names = readOnnx(joinOnnx(encoder, model)!).graph!.node.flatMap(({ output }) => output);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith("encoder/")).length).toBeGreaterThan(2);
  });

  it("must be written in the same version of ONNX's operations", () => {
    const other = readOnnx(encoder);
    other.opsetImport[0]!.version = 13n;
    expect(joinOnnx(writeOnnx(other), model)).toBeUndefined();
  });

  it("keep the operations of other domains", async () => {
    const other = readOnnx(encoder);
    other.opsetImport.push(create(OperatorSetIdProtoSchema, { domain: "com.microsoft", version: 1n }));
    const joined = joinOnnx(writeOnnx(other), model)!;
    expect(readOnnx(joined).opsetImport.map(({ domain, version }) => [domain, Number(version)])).toEqual([
      ["", 17],
      ["com.microsoft", 1],
    ]);
    expect(Object.keys(await run(joined, given, [5, 4]))).toEqual(["distances", "z"]);
  });

  it("are refused where the bytes are something else", () => {
    expect(() => joinOnnx(new Uint8Array([1, 2, 3]), model)).toThrow("the bytes are not an ONNX model");
  });
});

describe("a model with fewer outputs", () => {
  it("computes only these", async () => {
    const smaller = withOutputs(model, ["z"]);
    const whole = await run(model, given, [5, 4]);
    expect(await run(smaller, given, [5, 4])).toEqual({ z: whole.z });
    expect(readOnnx(smaller).graph!.node.length).toBeLessThan(readOnnx(model).graph!.node.length);
    expect(() => withOutputs(model, ["label"])).toThrow("the model has no output label; it has distances, z");
  });
});
