import { describe, expect, it } from "vitest";
import { explainRow } from "../../src/explain/rows/explainRow.ts";
import type { Why } from "../../src/explain/rows/explanation.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { blobs } from "../support/blobs.ts";
import { digits, fitted, rowOf } from "./fitted.ts";

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function expectWhole({ margin, latent, input }: Why): void {
  expect(sum(latent.map(({ part }) => part))).toBeCloseTo(margin, 4);
  expect(input.start + sum(input.parts) + input.remainder).toBeCloseTo(margin, 4);
  expect(input.complete).toBe(true);
}

describe("a row of a table", async () => {
  const columns = ["price", "weight", "age", "wheels"];
  const table = tensor(
    "float32",
    [120, 4],
    blobs().rows.data.map((value, at) => [value * 1000, value * 30 - 5, value * 10, 4][at % 4]!),
  );
  const model = await fitted(table, { method: "dkm-p", pretraining: 60, restarts: 2, keep: "silhouette" });
  const summaries = await model.summarize(table, { columns });
  const row = rowOf(table, 1);

  it("is explained by named columns, with the numbers of the row and of the other exemplar", async () => {
    const { placement, why, words } = await model.explain(row, { columns, summaries });
    expect(placement.cluster).toBe((await model.predict([row]))[0]);
    expect(placement.outlier).toBeGreaterThan(0);
    expectWhole(why!);
    expect(why!.margin).toBeCloseTo(placement.margin, 4);
    expect(why!.other).toBe(placement.second);
    const { features, exemplar, exemplarFrom } = why!.input;
    expect(exemplarFrom).toBe("decoder");
    expect(features.map(({ name }) => name).sort()).toEqual(columns.toSorted());
    for (const { feature, value, exemplar: there, part } of features) {
      expect(value).toBe(row[feature]);
      expect(there).toBe(exemplar[feature]);
      expect(part).toBe(why!.input.parts[feature]);
    }
    // What never changes explains nothing.
    expect(why!.input.parts[3]).toBe(0);
    expect(words).toContain(`In cluster ${placement.cluster} (${summaries[placement.cluster]!.name}) rather than`);
    expect(words).toMatch(/mostly (price|weight|age) \(\d+ %: [\d.−]+, there [\d.−]+\)/);
    expect(why!.near.own).toHaveLength(2);
  });

  it("is plain data", async () => {
    const explanation = await model.explain(row, { columns, summaries });
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });

  it("is explained against any other cluster, and from any other row", async () => {
    const { why } = await model.explain(row);
    const third = 3 - why!.own - why!.other;
    const { why: other } = await model.explain(row, { against: third, baseline: rowOf(table, 5) });
    expect(other).toMatchObject({ own: why!.own, other: third, input: { exemplarFrom: "caller" } });
    expect(other!.margin).toBeGreaterThan(why!.margin);
    expectWhole(other!);
  });

  it("is refused where it is no row of this table", async () => {
    await expect(model.explain([1, 2])).rejects.toThrow(
      "explain: the row must have the 4 numbers of one row [4], got 2",
    );
    await expect(model.explain([1, 2, Number.NaN, 4])).rejects.toThrow("every number must be finite");
    await expect(model.explain(row, { baseline: [1] })).rejects.toThrow("the baseline must have the 4 numbers");
    await expect(model.explain(row, { against: 7 })).rejects.toThrow("from 0 to 2, got 7");
    const { placement } = await model.explain(row);
    await expect(model.explain(row, { against: placement.cluster })).rejects.toThrow("two different clusters");
  });
});

it("a digit is explained by a picture", async () => {
  const rows = await digits(400);
  const model = await fitted(rows, { clusters: 4, method: "tell", network: "fullyConnected", hidden: [24], batch: 50 });
  const summaries = await model.summarize(rows);
  const { why, words } = await model.explain(tensor("float32", [1, 28, 28], rowOf(rows, 3)), { summaries });
  expectWhole(why!);
  expect(why!.input).toMatchObject({ shape: [1, 28, 28], features: [] });
  expect(why!.input.parts).toHaveLength(784);
  expect(words).toMatch(/^In cluster \d rather than \d: most like row \d+ and row \d+ of its own typical rows/);
  await model.close();
});

it("where the decoder is left behind, the nearest row stands in, or the caller is asked", async () => {
  const { rows } = blobs();
  const model = await fitted(rows, { method: "homo" });
  await expect(explainRow(model, rowOf(rows, 0))).rejects.toThrow(/homo leaves its decoder behind.*give summaries/);
  const summaries = await model.summarize(rows);
  const { why } = await explainRow(model, rowOf(rows, 0), { summaries });
  expect(why!.input.exemplarFrom).toBe("nearest row");
  expect(why!.latent.at(-1)!.name).toBe("cluster frequency");
  expectWhole(why!);
  await model.close();
});

it("one cluster alone needs no reason", async () => {
  const model = await fitted(blobs().rows, { method: "kmeans", clusters: 1 });
  const { placement, why, words } = await model.explain(rowOf(blobs().rows, 0));
  expect(why).toBeUndefined();
  expect(placement).toMatchObject({ cluster: 0, second: 0, margin: 0 });
  expect(words).toBe("In cluster 0, the only one.");
  await model.close();
});
