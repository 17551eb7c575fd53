/** Plug and play (TELL §2.2.4): the clusters go behind any network, and into any graph. */

import { describe, expect, it } from "vitest";
import { matmul } from "../../src/graph/contract.ts";
import { relu } from "../../src/graph/elementwise.ts";
import { constant, input } from "../../src/graph/node.ts";
import { metrics } from "../../src/metrics/index.ts";
import { fitOn } from "../../src/model/fit.ts";
import { compile, dense, devices, findDevice, plain, program, sequence } from "../../src/node.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import type { NetworkBuilder } from "../../src/training/network.ts";
import { blobs, tiny } from "../support/blobs.ts";

const device = await findDevice(devices, "cpu");
const cluster = fitOn(devices);
const easy = blobs();
const { hidden: _, ...small } = tiny;

describe("the network", () => {
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
      "encoder: the bytes are not an ONNX model that runs here",
    );
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
