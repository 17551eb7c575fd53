/** Columns of different units: scaled inside the model, and back where it draws rows. */

import { describe, expect, it } from "vitest";
import { inMemory } from "../../src/data/data.ts";
import { lengthScaling, standardScaling } from "../../src/data/scaling.ts";
import { compile } from "../../src/doors/engine.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { metrics } from "../../src/metrics/index.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

const device = await findDevice(devices, "cpu");
const cluster = fitOn(devices);

describe("standard scaling", () => {
  it("is the mean and the deviation of each column, and leaves a constant column at 0", async () => {
    const rows = fromNumbers("float32", [3, 2], [1, 5, 2, 5, 6, 5]);
    const { scaling, range } = await standardScaling(inMemory(rows));
    expect(scaling.shift).toEqual([3, 5]);
    // Squared differences 4, 1 and 9.
    expect(scaling.factor[0]).toBeCloseTo(1 / Math.sqrt(14 / 3), 12);
    expect(scaling.factor[1]).toBe(1);
    expect(range[0]).toBeCloseTo(-2 / Math.sqrt(14 / 3), 12);
    expect(range[1]).toBeCloseTo(3 / Math.sqrt(14 / 3), 12);
  });

  it("keeps its digits where numbers are large", async () => {
    const rows = tensor("float32", [4, 1], Float32Array.of(1e6 + 1, 1e6 + 2, 1e6 + 3, 1e6 + 4));
    const { scaling } = await standardScaling(inMemory(rows));
    expect(scaling.factor[0]).toBeCloseTo(1 / Math.sqrt(1.25), 9);
  });
});

describe("very small numbers", () => {
  it("are brought to mean square 1 by one factor", async () => {
    // The squares are 0.09, 0, 0.16 and 0: 1/16 on average.
    const rows = fromNumbers("float32", [2, 2], [0.3, 0, -0.4, 0]);
    const { scaling, range } = await lengthScaling(inMemory(rows));
    expect(scaling.shift).toEqual([0]);
    expect(scaling.factor[0]).toBeCloseTo(4, 6);
    expect(range[0]).toBeCloseTo(-1.6, 6);
    expect(range[1]).toBeCloseTo(1.2, 6);
    expect((await lengthScaling(inMemory(fromNumbers("float32", [1, 2], [0, 0])))).scaling.factor).toEqual([1]);
  });

  it("as embeddings of length 1 have are scaled by themselves in the practical profile alone, and come back in their units", async () => {
    const { rows, labels } = blobs();
    // The same three groups as directions in 64 dimensions, each row of length 1.
    const wide = new Float32Array(120 * 64);
    for (let i = 0; i < 120; i++) {
      const length = Math.hypot(...rows.data.subarray(4 * i, 4 * i + 4)) * 4;
      for (let c = 0; c < 64; c++) wide[64 * i + c] = rows.data[4 * i + (c % 4)]! / length;
    }
    const embeddings = tensor("float32", [120, 64], wide);
    const settings = { clusters: 3, device, ...tiny, pretraining: 60, restarts: 3, keep: "silhouette", method: "tell" };
    const model = await cluster(embeddings, settings);
    expect(model.plan.scaling!.factor[0]).toBeCloseTo(8, 4);
    expect(metrics.accuracy.score(labels, model.labels)).toBe(1);
    const exemplars = (await model.exemplars())!;
    for (let j = 0; j < 3; j++) {
      expect(Math.abs(Math.hypot(...exemplars.data.subarray(64 * j, 64 * j + 64)) - 1)).toBeLessThan(0.2);
    }
    const published = await cluster(embeddings, { ...settings, profile: "paper", restarts: 1, epochs: 1 });
    expect(published.plan.scaling).toBeUndefined();
  });
});

describe("a table in different units", () => {
  const easy = blobs();
  // Meters, millimeters, degrees and dollars.
  const units = [1, 1000, 100, 30_000];
  const origin = [0, -500, 20, 10_000];
  const rows = tensor(
    "float32",
    [120, 4],
    easy.rows.data.map((value, at) => value * units[at % 4]! + origin[at % 4]!),
  );
  const options = { clusters: 3, device, ...tiny, pretraining: 60, restarts: 3, keep: "silhouette" };

  it.each(["tell", "dkm-p", "kmeans"])(
    "is clustered by all of its columns, and exemplars have their units: %s",
    async (method) => {
      const model = await cluster(rows, { ...options, method });
      expect(metrics.accuracy.score(easy.labels, model.labels)).toBe(1);
      expect([...(await model.predict(rows))]).toEqual([...model.labels]);
      const exemplars = (await model.exemplars())!;
      const dollars = Array.from({ length: 3 }, (_, j) => exemplars.data[4 * j + 3]!).sort((a, b) => a - b);
      // The blobs are at 0.3, 0.5 and 0.9.
      [19_000, 25_000, 37_000].forEach((expected, j) => {
        expect(Math.abs(dollars[j]! - expected)).toBeLessThan(4000);
      });
      await model.close();
    },
  );

  it("is scaled inside the exported model", async () => {
    const model = await cluster(rows, { ...options, method: "kmeans" });
    const bytes = compile(model.program(), { weights: await model.weights() });
    const session = await device.runtime.InferenceSession.create(bytes);
    const { label } = await session.run({ x: new device.runtime.Tensor("float32", rows.data, rows.shape) });
    expect(Array.from(label!.data as BigInt64Array, Number)).toEqual([...model.labels]);
  });

  it("is left alone where the option says so, and so are numbers from −1 to 1", async () => {
    const asIs = await cluster(rows, { ...options, method: "kmeans", scaling: "none" });
    expect(asIs.plan.scaling).toBeUndefined();
    const within = tensor(
      "float32",
      [120, 4],
      easy.rows.data.map((value) => Math.min(1, Math.max(0, value))),
    );
    const small = await cluster(within, { ...options, method: "kmeans" });
    expect(small.plan.scaling).toBeUndefined();
  });
});
