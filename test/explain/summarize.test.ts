import { describe, expect, it } from "vitest";
import { type Data, inMemory } from "../../src/data/data.ts";
import { summarize } from "../../src/explain/clusters/summarize.ts";
import type { PlacedBatch } from "../../src/explain/placement.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { changed, fitted, rowOf } from "./fitted.ts";

/** Dollars, kilograms, years, and something that never changes. */
const columns = ["price", "weight", "age", "wheels"];
const table = tensor(
  "float32",
  [120, 4],
  blobs().rows.data.map((value, at) => [value * 1000, value * 30 - 5, value * 10, 4][at % 4]!),
);
const ids = {
  async *inOrder(size: number) {
    for (let at = 0; at < 120; at += size) {
      yield Array.from({ length: Math.min(size, 120 - at) }, (_, i) => ["shop", `item ${at + i}`]);
    }
  },
};

describe("a table of three groups", async () => {
  const model = await fitted(table, { method: "kmeans", restarts: 3, keep: "loss" });
  const summaries = await model.summarize(table, { columns, ids, typical: 5, borderline: 4 });
  const { labels, distances, probabilities } = await model.assign(table);
  const rowsOf = (j: number) => [...labels.keys()].filter((i) => labels[i] === j);

  it("is counted: sizes, shares, means and deviations", () => {
    for (const { cluster, size, share, mean, deviation } of summaries) {
      const rows = rowsOf(cluster);
      expect(size).toBe(rows.length);
      expect(share).toBe(rows.length / 120);
      const expected = columns.map((_, c) => rows.reduce((sum, i) => sum + table.data[4 * i + c]!, 0) / rows.length);
      expectClose(mean, expected, 1e-9);
      const squares = columns.map((_, c) =>
        rows.reduce((sum, i) => sum + (table.data[4 * i + c]! - expected[c]!) ** 2, 0),
      );
      expectClose(
        deviation!,
        squares.map((sum) => Math.sqrt(sum / rows.length)),
        1e-6,
      );
    }
  });

  it("shows typical rows, the nearest first, and borderline ones, the smallest margin first", () => {
    for (const { cluster, typical, borderline, reach } of summaries) {
      const own = (i: number): number => distances.data[3 * i + cluster]!;
      const margin = (i: number): number =>
        Math.min(...[0, 1, 2].filter((j) => j !== cluster).map((j) => distances.data[3 * i + j]!)) - own(i);
      const rows = rowsOf(cluster);
      expect(typical.map(({ row }) => row)).toEqual(rows.toSorted((a, b) => own(a) - own(b)).slice(0, 5));
      expect(borderline.map(({ row }) => row)).toEqual(rows.toSorted((a, b) => margin(a) - margin(b)).slice(0, 4));
      for (const shown of [...typical, ...borderline]) {
        expect(shown.id).toBe(`shop, item ${shown.row}`);
        expect(shown.values).toEqual([...rowOf(table, shown.row)]);
        const nearer = rows.filter((i) => own(i) < own(shown.row)).length;
        expect(Math.abs(shown.outlier - nearer / rows.length)).toBeLessThan(0.05);
      }
      expect(reach).toHaveLength(101);
      expect(reach[0]).toBeCloseTo(Math.min(...rows.map(own)), 6);
      expect(reach[100]).toBeCloseTo(Math.max(...rows.map(own)), 6);
    }
  });

  it("counts confidences and neighbours", () => {
    for (const { cluster, size, confidence, neighbours } of summaries) {
      const sure = rowsOf(cluster).map((i) => probabilities.data[3 * i + cluster]!);
      expect(confidence.mean).toBeCloseTo(sure.reduce((a, b) => a + b, 0) / size, 9);
      expect(confidence.histogram.reduce((a, b) => a + b, 0)).toBe(size);
      expect(neighbours.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
    }
  });

  it("says what distinguishes a group, against all others and against the nearest", () => {
    for (const { cluster, mean, distinguishing, nearest, name } of summaries) {
      const effects = distinguishing.map(({ effect }) => Math.abs(effect));
      expect(effects).toEqual(effects.toSorted((a, b) => b - a));
      // What never changes distinguishes nothing.
      expect(distinguishing.map((each) => each.name)).not.toContain("wheels");
      const [first] = distinguishing;
      expect(first!.here).toBe(mean[first!.feature]);
      expect(name).toContain(first!.name);
      expect(nearest!.cluster).not.toBe(cluster);
      const other = summaries[nearest!.cluster]!.mean;
      for (const { feature, there } of nearest!.differences) expect(there).toBe(other[feature]);
    }
    expect(new Set(summaries.map(({ name }) => name)).size).toBe(3);
    expect(summaries.map(({ name }) => name).join()).toMatch(/high price/);
  });

  it("has exemplars in its own units, with what never changes as it is", () => {
    for (const { exemplar, exemplarFrom, mean } of summaries) {
      expect(exemplarFrom).toBe("decoder");
      expectClose(exemplar, mean, 1e-3);
      expect(exemplar[3]).toBe(4);
    }
  });

  it("gives every row to whoever writes them down, in order, with its outlier", async () => {
    const batches: PlacedBatch[] = [];
    const again = await model.summarize(table, { columns, ids, onBatch: (batch) => void batches.push(batch) });
    expect(again.map(({ size }) => size)).toEqual(summaries.map(({ size }) => size));
    const placements = batches.flatMap((batch) => batch.placements);
    expect(placements.map(({ row }) => row)).toEqual([...labels.keys()]);
    expect(placements.map(({ cluster }) => cluster)).toEqual([...labels]);
    expect(batches[0]!.ids![3]).toEqual(["shop", "item 3"]);
    expect(batches[0]!.codes.shape).toEqual([120, 4]);
    for (const { cluster, row, outlier } of again.flatMap(({ typical }) => typical)) {
      expect(placements[row]).toMatchObject({ cluster, outlier });
    }
  });

  it("is refused with names for other columns, and with ids for other rows", async () => {
    await expect(model.summarize(table, { columns: ["price"] })).rejects.toThrow(
      "each of the 4 numbers of a row, got 1",
    );
    const few = { *inOrder() {} };
    await expect(model.summarize(table, { ids: few })).rejects.toThrow("got 0 for the 120 rows from row 0");
  });
});

describe("what is not usual:", () => {
  it("a cluster without rows has an exemplar, and nothing else; with the decoder left behind, from another's row", async () => {
    for (const method of ["dkm-p", "homo"]) {
      const model = await fitted(blobs().rows, { method });
      const few = inMemory(tensor("float32", [2, 4], blobs().rows.data.slice(0, 8)));
      const found = await model.summarize(few);
      const empty = found.find(({ size }) => size === 0)!;
      expect(empty).toMatchObject({ share: 0, typical: [], borderline: [], mean: [], reach: [], distinguishing: [] });
      expect(empty.exemplar).toHaveLength(4);
      expect(empty.exemplarFrom).toBe(method === "homo" ? "nearest row" : "decoder");
      expect(empty.nearest).toMatchObject({ differences: [] });
      expect(empty.confidence).toEqual({ mean: 0, histogram: Array(10).fill(0) });
      expect(empty.name).toBe(`cluster ${empty.cluster}`);
      if (method === "homo") {
        const rows = [[...rowOf(blobs().rows, 0)], [...rowOf(blobs().rows, 1)]];
        expect(rows).toContainEqual(empty.exemplar);
        const used = found.find(({ size }) => size > 0)!;
        expect(rows).toContainEqual(used.exemplar);
      }
      await model.close();
    }
  });

  it("an exemplar that belongs to another cluster shows that one: the nearest row stands in for it", async () => {
    const { rows } = blobs();
    const model = await fitted(rows, { method: "kmeans", restarts: 3, keep: "loss" });
    const drawn = (await model.exemplars())!;
    const swapped = fromNumbers("float32", [3, 4], [...rowOf(drawn, 1), ...rowOf(drawn, 0), ...rowOf(drawn, 2)]);
    const others = { ...changed(model, {}), exemplars: async () => swapped };
    const found = await summarize(others, inMemory(rows));
    expect(found.map(({ exemplarFrom }) => exemplarFrom)).toEqual(["nearest row", "nearest row", "decoder"]);
    const exemplars = fromNumbers(
      "float32",
      [3, 4],
      found.flatMap(({ exemplar }) => [...exemplar]),
    );
    expect([...(await model.predict(exemplars))]).toEqual([0, 1, 2]);
    await model.close();
  });

  it("one cluster alone has no neighbour, no border and nothing that distinguishes it", async () => {
    const model = await fitted(blobs().rows, { method: "kmeans", clusters: 1 });
    const [summary] = await model.summarize(blobs().rows);
    expect(summary).toMatchObject({ size: 120, borderline: [], neighbours: [], distinguishing: [], name: "cluster 0" });
    expect(summary!.nearest).toBeUndefined();
    expect(summary!.typical).toHaveLength(8);
    await model.close();
  });

  it("rows that are streamed are gone through once, and held no longer", async () => {
    const model = await fitted(blobs().rows, { method: "kmeans" });
    let passes = 0;
    const stream: Data = {
      row: [4],
      count: 50_000,
      range: [0, 1],
      shuffled: () => [],
      *inOrder(size) {
        passes++;
        // One buffer for all batches: whoever kept it would find other rows in it.
        const x = fromNumbers("float32", [size, 4], new Float32Array(size * 4));
        for (let at = 0; at + size <= 50_000; at += size) {
          x.data.set(blobs(size, { seed: at }).rows.data);
          yield { rows: Int32Array.from({ length: size }, (_, i) => at + i), x };
        }
      },
    };
    const summaries = await summarize(model, stream);
    expect(passes).toBe(1);
    for (const { typical } of summaries) {
      for (const { row, values } of typical) {
        const batch = blobs(1024, { seed: row - (row % 1024) }).rows;
        expect(values).toEqual([...rowOf(batch, row % 1024)]);
      }
    }
    await model.close();
  });
});
