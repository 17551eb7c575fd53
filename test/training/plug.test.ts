/** Plug and play (TELL §2.2.4): the clusters go behind any network, and into any graph. */

import { describe, expect, it } from "vitest";
import { compile, dense, plain, program, sequence } from "../../src/doors/engine.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { reshape } from "../../src/graph/arrange.ts";
import { relu } from "../../src/graph/elementwise.ts";
import { constant, input } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { softmax } from "../../src/graph/reduce.ts";
import { metrics } from "../../src/metrics/index.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import type { NetworkBuilder } from "../../src/training/network.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

const device = await findDevice(devices, "cpu");
const cluster = fitOn(devices);
const easy = blobs();
const { hidden: _, ...small } = tiny;

/** Pictures of 8 × 8 with a bright upper, lower or left half, in turn. */
function pictures(n = 60): { rows: Tensor<"float32">; labels: Int32Array } {
  const noise = Random.seeded(5).uniforms(n * 64);
  const isBright = [
    (y: number, _x: number): boolean => y < 4,
    (y: number, _x: number): boolean => y >= 4,
    (_y: number, x: number): boolean => x < 4,
  ];
  const data = noise.map((value, at) => {
    const [i, y, x] = [Math.floor(at / 64), Math.floor((at % 64) / 8), at % 8];
    return 0.2 * value + (isBright[i % 3]!(y, x) ? 0.8 : 0);
  });
  return { rows: tensor("float32", [n, 1, 8, 8], data), labels: Int32Array.from({ length: n }, (_, i) => i % 3) };
}

describe("the network", () => {
  it.each([
    ["tellConvolutional", [4, 6, 6, 4]],
    ["pooledConvolutional", [4, 3]],
    ["halvingConvolutional", [4, 3]],
  ] as const)("may be one of ours for pictures, %s, in any size", async (network, filters) => {
    const { rows, labels } = pictures();
    const sizes = { filters, hidden: [16], pretraining: 40 };
    const model = await cluster(rows, { clusters: 3, device, ...small, network, ...sizes });
    expect(metrics.accuracy.score(labels, model.labels)).toBe(1);
    expect((await model.exemplars())!.shape).toEqual([3, 1, 8, 8]);
    const first = (await model.weights()).get("encoder.0.weight")!;
    expect(first.shape[0]).toBe(filters[0]);
    await expect(cluster(rows, { clusters: 3, device, network, filters: [4, 4, 4] })).rejects.toThrow(
      `telltale: ${network} has ${filters.length} layers: filters must be as many, got [4,4,4]; or choose network fullyConnected`,
    );
    await expect(cluster(rows, { clusters: 3, device, network, hidden: [9, 8] })).rejects.toThrow(
      `telltale: ${network} has one dense layer: hidden must be one number, got [9,8]; or choose network fullyConnected`,
    );
  });

  it("may be none: the rows themselves are clustered", async () => {
    const model = await cluster(easy.rows, { clusters: 3, device, ...small, network: "none" });
    expect(metrics.accuracy.score(easy.labels, model.labels)).toBe(1);
    expect((await model.transform(easy.rows)).shape).toEqual([120, 4]);
  });

  it("may be the user's own, written as formulas", async () => {
    const network: NetworkBuilder = ([columns], random) => {
      const encoder = sequence([dense("mine.in", columns!, 6, random), plain(relu), dense("mine.code", 6, 2, random)]);
      const decoder = dense("mine.out", 2, columns!, random);
      const parameters = [...encoder.parameters, ...decoder.parameters];
      return { row: [columns!], latent: 2, parameters, encode: encoder.apply, decode: decoder.apply };
    };
    const options = {
      clusters: 3,
      device,
      method: "dkm-p",
      ...small,
      pretraining: 60,
      restarts: 3,
      keep: "silhouette",
    };
    const model = await cluster(easy.rows, { ...options, network });
    expect(metrics.accuracy.score(easy.labels, model.labels)).toBe(1);
    expect([...(await model.weights()).keys()]).toContain("mine.code.weight");
    expect((await model.exemplars())!.shape).toEqual([3, 4]);
  });

  it("may be a frozen ONNX encoder, and stays as it is", async () => {
    // Somebody's encoder: it keeps the first three columns and doubles them.
    const kept = fromNumbers("float32", [4, 3], [2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
    const bytes = compile(program({ outputs: { features: matmul(input("pixels", ["n", 4]), constant(kept)) } }));
    const model = await cluster(easy.rows, { clusters: 3, device, ...small, network: bytes });
    expect(metrics.accuracy.score(easy.labels, model.labels)).toBe(1);
    expect([...(await model.predict(easy.rows))]).toEqual([...model.labels]);
    expect((await model.transform(easy.rows)).shape).toEqual([120, 3]);
    await expect(cluster(easy.rows, { clusters: 3, device, network: new Uint8Array(5) })).rejects.toThrow(
      "encoder: the bytes are not an ONNX model",
    );
  });
});

describe("a frozen encoder", () => {
  it("takes rows so wide that they come in small batches", async () => {
    const [n, width] = [200, 30_000];
    const wide = Float32Array.from(
      { length: n * width },
      (_, at) => easy.rows.data[Math.floor(at / width) * 4 + (at % 4)] ?? 0.5,
    );
    // The sum over all columns of each of four kinds, by a filter that knows the kinds.
    const kinds = Float32Array.from({ length: width * 4 }, (_, at) =>
      Math.floor(at / 4) % 4 === at % 4 ? 4 / width : 0,
    );
    const features = matmul(input("x", ["n", width]), constant(tensor("float32", [width, 4], kinds)));
    const bytes = compile(program({ outputs: { features } }));
    const rows = tensor("float32", [n, width], wide);
    const model = await cluster(rows, { clusters: 3, device, ...small, network: bytes, scaling: "none" });
    expect(metrics.accuracy.score(easy.labels.subarray(0, 120), model.labels.subarray(0, 120))).toBe(1);
    expect([...(await model.predict(rows))]).toEqual([...model.labels]);
  });
});

describe("IIC-style features (TELL, Table 5)", () => {
  // Somebody's network for pictures that ends in a softmax over more classes than there are: what IIC's head gives.
  const { rows, labels } = pictures();
  const halves = Float32Array.from({ length: 64 * 6 }, (_, at) => {
    const [y, x, over] = [Math.floor(at / 6 / 8), Math.floor(at / 6) % 8, at % 6];
    const isOwn = [y < 4, y >= 4, x < 4][over % 3]!;
    return (isOwn ? 0.1 : -0.1) * (over < 3 ? 1 : 0.8);
  });
  const x = reshape(input("pictures", ["n", 1, 8, 8]), ["n", 64]);
  const features = softmax(matmul(x, constant(tensor("float32", [64, 6], halves))));
  const encoder = compile(program({ outputs: { features } }));
  const settings = { clusters: 3, device, method: "tell", epochs: 20, restarts: 2, seed: 3 } as const;

  it("are clustered as the same numbers without the encoder, bit for bit, by TELL alone", async () => {
    const behind = await cluster(rows, { ...settings, network: encoder });
    expect(metrics.accuracy.score(labels, behind.labels)).toBe(1);
    const alone = await behind.features(rows);
    expect(alone.row).toEqual([6]);
    const plain = await cluster(alone.tensor!, { ...settings, network: "none" });
    expect([...behind.labels]).toEqual([...plain.labels]);
    expect(await behind.centers()).toEqual(await plain.centers());
  });

  it("and online: 20 rows place the centers, the others come once, and the encoder stays as it is", async () => {
    const first = tensor("float32", [20, 1, 8, 8], rows.data.slice(0, 20 * 64));
    const model = await cluster(first, { ...settings, network: encoder });
    const before = await model.features(rows);
    for (let from = 20; from < 60; from += 10) {
      const batch = tensor("float32", [10, 1, 8, 8], rows.data.slice(from * 64, (from + 10) * 64));
      await model.partialFit(batch, { rate: 0.05 });
    }
    expect(metrics.accuracy.score(labels, await model.predict(rows))).toBe(1);
    expect((await model.features(rows)).tensor).toEqual(before.tensor);
  });
});

describe("the cluster layer", () => {
  it("is a model of its own, for codes from anywhere", async () => {
    const model = await cluster(easy.rows, { clusters: 3, device, ...tiny, pretraining: 40 });
    const bytes = compile(model.layer(), { weights: await model.weights() });
    const session = await device.runtime.InferenceSession.create(bytes);
    expect(session.inputNames).toEqual(["z"]);
    expect(session.outputNames).toEqual(["label", "distances", "probabilities"]);
    const codes = await model.transform(easy.rows);
    const { label } = await session.run({ z: new device.runtime.Tensor("float32", codes.data, codes.shape) });
    expect(Array.from(label!.data as BigInt64Array, Number)).toEqual([...model.labels]);
  });
});
