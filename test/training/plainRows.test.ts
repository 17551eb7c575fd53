import { describe, expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { telltale } from "../../src/methods/telltale.ts";
import { decoderOnnx, modelOnnx } from "../../src/model/exportOnnx.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import type { Checkpoint } from "../../src/training/job.ts";
import { repeatedByMeans } from "../../src/training/plainRows.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { fitOn, trainBy } from "../support/fit.ts";

const device = await findDevice(devices, "cpu");
const fit = fitOn(devices);
/** In units of their own: the first column in thousands. */
const easy = ((): { readonly rows: Tensor<"float32">; readonly labels: Int32Array } => {
  const { rows, labels } = blobs(240, { deviation: 0.05 });
  return {
    rows: tensor(
      "float32",
      rows.shape,
      rows.data.map((value, at) => (at % 4 === 0 ? 1000 * value : value)),
    ),
    labels,
  };
})();

describe("the nearest mean", () => {
  it("is that of the own cluster in two heaps, and not for a row that lies with the others", () => {
    const rows = fromNumbers("float32", [8, 1], [0, 1, 0, 1, 10, 11, 10, 11]);
    expect(repeatedByMeans(rows, Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1), 2)).toBe(1);
    expect(repeatedByMeans(rows, Int32Array.of(1, 0, 0, 0, 1, 1, 1, 1), 2)).toBe(7 / 8);
  });

  it("is made of other rows than the one it judges: a cluster of one row has none, and a row of no cluster counts as wrong", () => {
    const rows = fromNumbers("float32", [4, 1], [0, 0, 0, 9]);
    expect(repeatedByMeans(rows, Int32Array.of(0, 0, 0, 1), 2)).toBe(3 / 4);
    expect(repeatedByMeans(rows, Int32Array.of(0, 0, 0, -1), 1)).toBe(3 / 4);
  });

  it("does not tell rings", () => {
    const rows = Array.from({ length: 80 }, (_, i) => [Math.cos(i) * (1 + (i % 2)), Math.sin(i) * (1 + (i % 2))]);
    const labels = Int32Array.from(rows, (_, i) => i % 2);
    expect(repeatedByMeans(fromNumbers("float32", [80, 2], rows.flat()), labels, 2)).toBeLessThan(0.8);
  });
});

describe("rows that are divided around their means", () => {
  it("need no network: centers are means, exemplars are rows in people's units, parts add up", async () => {
    const model = await fit(easy.rows, { clusters: 3, device });
    const { taught, plan, history } = model.fit;
    expect(taught).toMatchObject({
      view: "rows",
      network: "none",
      centers: "means",
      agreement: 1,
      held: { agreement: 1 },
    });
    expect(taught!.reason).toMatch(/the nearest mean repeats it on 100\.0 % of rows, so that no network is needed$/);
    expect(plan.options).toMatchObject({ network: "none", pretraining: 0, epochs: 0 });
    expect(history.every(({ phase }) => phase !== "pretraining")).toBe(true);
    expect(model.fit.measures.loss).toBeGreaterThan(0);
    const exemplars = (await model.exemplars())!;
    expect([...(await model.predict(exemplars))]).toEqual([0, 1, 2]);
    for (let j = 0; j < 3; j++) {
      const members = Array.from(model.labels.keys()).filter((i) => model.labels[i] === j);
      const mean = [0, 1, 2, 3].map(
        (c) => members.reduce((sum, i) => sum + easy.rows.data[4 * i + c]!, 0) / members.length,
      );
      const drawn = [...exemplars.data.slice(4 * j, 4 * j + 4)];
      // A tenth of the rows is not taught, and is not in the mean.
      expect(drawn.every((value, c) => Math.abs(value - mean[c]!) < 0.02 * (c === 0 ? 1000 : 1))).toBe(true);
    }
    const { margin, latent, input } = (await model.explain(easy.rows.data.subarray(0, 4))).why!;
    expectClose([latent.reduce((sum, { part }) => sum + part, 0)], [margin], 1e-5);
    expectClose([input.parts.reduce((sum, part) => sum + part, input.start)], [margin], 1e-4);
    expect((await modelOnnx(model)).length).toBeGreaterThan(0);
    expect((await decoderOnnx(model))!.length).toBeGreaterThan(0);
    await model.close();
  });

  it("get one where somebody says something about it", async () => {
    const said = await fit(easy.rows, { clusters: 3, device, hidden: [8], latent: 2, pretraining: 2, epochs: 1 });
    expect(said.plan.options).toMatchObject({ network: "auto", plain: false, latent: 2 });
    expect(said.fit.taught!.network).toBeUndefined();
  });

  it("go on from a checkpoint to the same bits", async () => {
    const taken: Checkpoint[] = [];
    const ended = async (more: object) => {
      const training = trainBy(easy.rows, telltale, { device, clusters: 3, ...more });
      for (;;) {
        const step = await training.next();
        if (step.done) return step.value;
      }
    };
    const whole = await ended({
      onCheckpoint: async (take: () => Promise<Checkpoint>) => void taken.push(await take()),
    });
    expect(taken[0]!.lesson).toMatchObject({ network: "none" });
    const resumed = await ended({ resume: taken[0]! });
    expect(resumed.labels).toEqual(whole.labels);
    expect(resumed.state.get("centers")!.data).toEqual(whole.state.get("centers")!.data);
  });
});
