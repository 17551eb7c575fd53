/** How far out a row is. */

import { beforeAll, describe, expect, it } from "vitest";
import { devices, findDevice } from "../../src/doors/inside.ts";
import type { ClusterSummary } from "../../src/explain/clusters/clusterSummary.ts";
import { FarRows, outlierOf, remotenessOf, shareBelow } from "../../src/explain/outlier.ts";
import type { Model } from "../../src/model/model.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";

describe("outlierOf", () => {
  it("of runs of before is the share of rows that are nearer: linear between quantiles, 1 beyond the farthest", () => {
    const reach = [0, 1, 3, 3, 5];
    const found = [-1, 0, 0.5, 1, 2, 3, 4, 5, 5.1].map((distance) => outlierOf({ distance }, { reach }));
    expect(found).toEqual([0, 0, 0.125, 0.25, 0.375, 0.5, 0.875, 1, 1]);
  });

  it("is 0 for the only row there is, and 1 where there are none", () => {
    expect(shareBelow(2, [2, 2, 2])).toBe(0);
    expect(shareBelow(2, [])).toBe(1);
    expect(outlierOf({ distance: 2 }, undefined)).toBe(1);
  });

  it("takes the largest of three, each beside what 95 % of the rows do not exceed; a distance by its root", () => {
    const limits = { distance: 4, apart: 2, error: 1 };
    expect(remotenessOf({ distance: 4, apart: 1, error: 0.1 }, limits)).toEqual({ r: 1, by: "distance" });
    expect(remotenessOf({ distance: 36, apart: 5, error: 1 }, limits)).toEqual({ r: 3, by: "distance" });
    expect(remotenessOf({ distance: 36, apart: 8, error: 1 }, limits)).toEqual({ r: 4, by: "apart" });
    expect(remotenessOf({ distance: -1, apart: 0, error: 5 }, limits)).toEqual({ r: 5, by: "error" });
    expect(remotenessOf({ distance: 36 }, limits)).toEqual({ r: 3, by: "distance" });
  });

  it("is the share of the cluster's rows that are less far out, and beyond them so many times as far as the last", () => {
    const rows = new FarRows("some");
    for (let i = 0; i <= 100; i++) rows.add({ distance: 0, apart: i / 100, error: 0.5 });
    const far = rows.limits(rows)!;
    expect(far).toMatchObject({ apart: 0.95, error: 0.5 });
    const cluster = { reach: [], far };
    const outlier = (apart: number, error = 0): number => outlierOf({ distance: 0, apart, error }, cluster);
    expect(outlier(0.975)).toBeCloseTo(0.975, 2);
    expect(outlier(1)).toBeCloseTo(1, 5);
    expect(outlier(2)).toBeCloseTo(2, 5);
    expect(outlier(41)).toBeCloseTo(41, 4);
    expect(outlier(0, 41)).toBeCloseTo(41 * 2 * 0.95, 4);
    expect(outlier(Number.POSITIVE_INFINITY)).toBe(1e6);
  });

  it("measures few rows, and a cluster without any, by all rows", () => {
    const [all, few, none] = [new FarRows("all"), new FarRows("few"), new FarRows("none")];
    for (let i = 0; i < 100; i++) all.add({ distance: 1, apart: i / 100 });
    few.add({ distance: 0, apart: 0 });
    expect(few.limits(all)).toEqual(all.limits(all));
    expect(none.limits(all)).toEqual(all.limits(all));
    expect(none.limits(none)).toBeUndefined();
  });
});

describe("rows that no row was like", () => {
  const cluster = fitOn(devices);
  const { rows } = blobs();
  const fresh = blobs(60, { seed: 21 }).rows;
  // Units of their own, as a table has them.
  const inUnits = (values: Float32Array): Float32Array => values.map((value, at) => 10 ** (at % 4) * (3 + value));
  const scaled = tensor("float32", rows.shape, inUnits(rows.data));
  const held = inUnits(fresh.data);
  let model: Model;
  let summaries: readonly ClusterSummary[];
  beforeAll(async () => {
    const device = await findDevice(devices, "cpu");
    model = await cluster(scaled, { clusters: 3, method: "tell", device, ...tiny, missing: [3, 30, 300, 3000] });
    summaries = await model.summarize(scaled);
  });

  const outliersOf = async (values: Float32Array): Promise<number[]> =>
    Array.from((await model.assign(tensor("float32", [values.length / 4, 4], values), { summaries })).outliers!);

  it("are told from new rows: a hundred times as large, zeros, columns in another order, nothing at all", async () => {
    const usual = (await outliersOf(held)).sort((a, b) => a - b);
    const most = usual[Math.floor(0.95 * usual.length)]!;
    const garbage = {
      large: held.map((value) => 100 * value),
      zeros: held.map(() => 0),
      shuffled: held.map((_, at) => held[at - (at % 4) + 3 - (at % 4)]!),
      nothing: held.map(() => Number.NaN),
      huge: held.map(() => 1e30),
    };
    for (const [kind, values] of Object.entries(garbage)) {
      const outliers = await outliersOf(values);
      expect(Math.min(...outliers), kind).toBeGreaterThan(Math.max(3, most));
      expect(Math.max(...outliers), kind).toBeLessThanOrEqual(1e6);
    }
  });

  it("are spoken of as what they are", async () => {
    const { words, placement } = await model.explain(
      held.slice(0, 4).map((value) => 100 * value),
      { summaries },
    );
    expect(words).toMatch(/It is far outside: .* times as far /);
    expect(placement.outlier).toBeGreaterThan(3);
    const nothing = await model.explain(new Float32Array(4).fill(Number.NaN), { summaries });
    expect(nothing.words).toContain("It is far outside: nothing of it is known.");
    // A file's missing values are filled in before anybody explains the row.
    const filled = await model.explain([3, 30, 300, 3000], { summaries, filled: [0, 1, 2, 3] });
    expect(filled.placement.outlier).toBe(1e6);
  });

  it("have the outlier that their summaries, their explanation and their assignment say", async () => {
    const { outliers } = await model.assign(scaled, { summaries });
    for (const { typical, borderline } of summaries) {
      for (const { row, outlier } of [...typical, ...borderline]) expect(outlier).toBeCloseTo(outliers![row]!, 4);
    }
    const { placement } = await model.explain(scaled.data.slice(0, 4), { summaries });
    expect(placement.outlier).toBeCloseTo(outliers![0]!, 3);
    // Of the rows that it was fitted to none is beyond them all, and the share of those below is the share itself.
    expect(Math.max(...outliers!)).toBeLessThanOrEqual(1.0001);
    const above = outliers!.filter((outlier) => outlier > 0.9).length / outliers!.length;
    expect(above).toBeGreaterThan(0.05);
    expect(above).toBeLessThan(0.15);
  });
});
