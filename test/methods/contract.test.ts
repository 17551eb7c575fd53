/** What every method promises, tried on every method there is. */

import { describe, expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { methods } from "../../src/methods/index.ts";
import { metrics } from "../../src/metrics/index.ts";
import { Random } from "../../src/tensor/random.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import type { Epoch } from "../../src/training/epoch.ts";
import type { Checkpoint } from "../../src/training/job.ts";
import type { Method } from "../../src/training/method.ts";
import { sharedOptions } from "../../src/training/sharedOptions.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn, trainBy } from "../support/fit.ts";

const device = await findDevice(devices, "cpu");
const cluster = fitOn(devices);
const easy = blobs();

const fitted = (method: Method, rows: Tensor, options: Record<string, unknown> = {}) =>
  cluster(rows, { clusters: 3, method, device, ...tiny, ...options });

/** A network that nobody pretrains needs more epochs than one that only polishes. */
const slow: Record<string, object> = { "dkm-a": { pretraining: 0, epochs: 80, rate: 1e-2 } };

/** Who passes votes for each of a thousand clusters from neighbour to neighbour is busy: a few do as well. */
const fewVotes: Record<string, object> = { tell: { neighbours: 3, rounds: 5 }, telltale: { taughtBy: "kmeans" } };

/** Everything in a fit that should be the same again. */
async function bits(training: AsyncGenerator<Epoch, { state: ReadonlyMap<string, Tensor>; labels: Int32Array }>) {
  let step = await training.next();
  while (!step.done) step = await training.next();
  const { state, labels } = step.value;
  return { labels: [...labels], state: [...state].map(([name, { data }]) => [name, [...(data as Float32Array)]]) };
}

describe.each(Object.values<Method>(methods).map((method) => [method.name, method] as const))("%s", (name, method) => {
  const settings = (options = {}) => ({ clusters: 3, device, options: { ...tiny, ...options } });

  it("finds three easy blobs, and says so in the same way for rows it has and has not seen", async () => {
    const longer = { pretraining: 60, epochs: 10, restarts: 3, keep: "silhouette", ...slow[name] };
    const model = await fitted(method, easy.rows, longer);
    expect(metrics.accuracy.score(easy.labels, model.labels)).toBe(1);

    const { labels, distances, probabilities, codes } = await model.assign(easy.rows);
    expect([...labels]).toEqual([...model.labels]);
    expect(codes.shape[0]).toBe(120);
    for (let i = 0; i < 120; i++) {
      const [near, sure] = [distances, probabilities].map(({ data }) => data.subarray(3 * i, 3 * i + 3)) as [
        Float32Array,
        Float32Array,
      ];
      // Distances never contradict the label, nor do probabilities.
      expect(near.indexOf(Math.min(...near))).toBe(labels[i]);
      expect(sure.indexOf(Math.max(...sure))).toBe(labels[i]);
      expect(sure.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
    }
    // A scale that can be used: sure of most of these rows, but not rows of zeros and ones.
    const confident = Array.from({ length: 120 }, (_, i) => probabilities.data[3 * i + labels[i]!]!);
    const mean = confident.reduce((a, b) => a + b, 0) / 120;
    expect(mean).toBeGreaterThan(0.5);
    expect(mean).toBeLessThan(0.9999);

    const fresh = blobs(30, { seed: 99 });
    expect(metrics.accuracy.score(fresh.labels, await model.predict(fresh.rows))).toBe(1);
    await model.close();
  });

  it("gives the same bits for the same seed, and others for another", async () => {
    const first = await bits(trainBy(easy.rows, method, settings()));
    expect(await bits(trainBy(easy.rows, method, settings()))).toEqual(first);
    expect((await bits(trainBy(easy.rows, method, { ...settings(), seed: 2 }))).state).not.toEqual(first.state);
  });

  it("goes on from any checkpoint as if it had never stopped, bit for bit", async () => {
    const options = { pretraining: 2, epochs: 3, restarts: 2, labelChange: 1e-9 };
    const whole = await bits(trainBy(easy.rows, method, settings(options)));
    const taken: Checkpoint[] = [];
    const onCheckpoint = async (take: () => Promise<Checkpoint>) => void taken.push(await take());
    const watched = await bits(trainBy(easy.rows, method, { ...settings(options), onCheckpoint }));
    expect(watched).toEqual(whole);
    expect(taken.length).toBeGreaterThan(3);
    for (const at of [1, Math.floor(taken.length / 2), taken.length - 2]) {
      const resumed = await bits(trainBy(easy.rows, method, { ...settings(options), resume: taken[at]! }));
      expect(resumed, `resumed at ${taken[at]!.phase} ${taken[at]!.epoch}`).toEqual(whole);
    }
  });

  it.each(Object.entries(method.options))("refuses %s out of range, by name", async (option, { kind }) => {
    const wrong = { number: -1, whole: 0.5, choice: "nothing of the kind", flag: 2, sizes: [0] }[kind];
    const attempt = fitted(method, easy.rows, { [option]: wrong });
    await expect(attempt).rejects.toThrow(new RegExp(`${name}: the option ${option} must be .*, got`));
  });

  const bounded = Object.entries({ ...sharedOptions, ...method.options }).filter(
    ([, option]) => "to" in option && option.to < Number.POSITIVE_INFINITY,
  ) as [string, { to: number }][];
  it.each(bounded)("refuses %s above its bound, by name", async (option, { to }) => {
    await expect(fitted(method, easy.rows, { [option]: to + 1 })).rejects.toThrow(
      new RegExp(`${name}: the option ${option} must be .* to ${to}, got ${to + 1}`),
    );
  });

  it("refuses an option it does not have, with a suggestion", async () => {
    await expect(fitted(method, easy.rows, { epoch: 3 })).rejects.toThrow(
      `${name}: there is no option epoch; did you mean epochs?`,
    );
  });

  it("copes with one cluster, with as many as rows, with duplicate rows and with constant columns", async () => {
    const ten = tensor("float32", [10, 4], easy.rows.data.slice(0, 40));
    const same = tensor(
      "float32",
      [12, 4],
      Float32Array.from({ length: 48 }, (_, at) => 0.1 + (at % 4) / 5),
    );
    const constant = tensor(
      "float32",
      [30, 4],
      easy.rows.data.slice(0, 120).map((value, at) => (at % 4 < 2 ? 0.5 : value)),
    );
    const cases = [
      { rows: ten, clusters: 1 },
      { rows: ten, clusters: 10 },
      { rows: same, clusters: 3 },
      { rows: constant, clusters: 3 },
    ];
    for (const { rows, clusters } of cases) {
      const model = await fitted(method, rows, { clusters, latent: 3, pretraining: 2, epochs: 2 });
      const { labels, probabilities } = await model.assign(rows);
      expect(labels.every((label) => label >= 0 && label < clusters)).toBe(true);
      expect(probabilities.data.every(Number.isFinite)).toBe(true);
      expect((await model.partialFit(rows)).moved.every(Number.isFinite)).toBe(true);
      await model.close();
    }
  });

  it("leaves no cluster empty where rows are different, and goes on from checkpoints as if it had never stopped", async () => {
    const rows = tensor("float32", [40, 4], Random.seeded(5).uniforms(160));
    const options = { ...settings({ epochs: 4, pretraining: 3, start: "rows" }), clusters: 12 };
    const taken: Checkpoint[] = [];
    const onCheckpoint = async (take: () => Promise<Checkpoint>) => void taken.push(await take());
    const whole = await bits(trainBy(rows, method, { ...options, onCheckpoint }));
    expect(new Set(whole.labels).size).toBe(12);
    expect(await bits(trainBy(rows, method, { ...options, resume: taken.at(-2)! }))).toEqual(whole);
  });

  it("takes 1,000 clusters", async () => {
    const rows = tensor("float32", [1500, 4], Random.seeded(3).uniforms(6000));
    const model = await fitted(method, rows, {
      clusters: 1000,
      pretraining: 1,
      epochs: 1,
      batch: 256,
      startRestarts: 1,
      ...fewVotes[name],
    });
    expect(new Set(model.labels).size).toBeGreaterThan(method.name === "dkm-a" ? 1 : 10);
    const { labels, probabilities } = await model.assign(rows);
    expect([...labels]).toEqual([...model.labels]);
    expect(labels.every((label) => label >= 0 && label < 1000)).toBe(true);
    for (let i = 0; i < 1500; i += 100) {
      expect(probabilities.data.subarray(1000 * i, 1000 * (i + 1)).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
    }
    expect((await model.partialFit(rows)).moved.every(Number.isFinite)).toBe(true);
    await model.close();
  });

  it("follows a stream without old rows, and tells how it drifts", async () => {
    const model = await fitted(method, easy.rows, { pretraining: 30 });
    const before = await model.centers();
    const { moved, rows, loss, labels } = await model.partialFit(blobs(60, { seed: 11 }).rows);
    expect(rows).toBe(60);
    expect(labels).toHaveLength(60);
    expect(Number.isFinite(loss)).toBe(true);
    const after = await model.centers();
    const d = before.shape[1]!;
    moved.forEach((distance, j) => {
      const change = Math.hypot(
        ...Array.from({ length: d }, (_, c) => after.data[j * d + c]! - before.data[j * d + c]!),
      );
      expect(distance).toBeCloseTo(change, 5);
    });
    expect(Math.max(...moved)).toBeGreaterThan(0);
    await model.close();
  });
});
