import { describe, expect, it } from "vitest";
import { type Feature, featureName } from "../../src/data/feature.ts";
import { clusterNames, featuresOf, isTelling, nameAt } from "../../src/explain/clusters/clusterNames.ts";
import type { Difference } from "../../src/explain/clusters/clusterSummary.ts";
import { outlierOf, placementsOf } from "../../src/explain/placement.ts";
import { Fewest } from "../../src/numerics/fewest.ts";
import { Moments, Quantiles } from "../../src/numerics/moments.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

describe("placementsOf", () => {
  const values = {
    label: fromNumbers("int64", [3], [1, 0, 0]),
    distances: fromNumbers("float32", [3, 3], [4, 1, 3, 2, 5, 2, 0, 9, 9]),
    probabilities: fromNumbers("float32", [3, 3], [0.25, 0.5, 0.25, 0.5, 0, 0.5, 1, 0, 0]),
  };

  it("reads cluster, second, margin, confidence and distance off a run", () => {
    const placements = placementsOf(values, [7, 8, 9], []);
    expect(placements).toEqual([
      { row: 7, cluster: 1, second: 2, margin: 2, confidence: 0.5, distance: 1, outlier: 1 },
      { row: 8, cluster: 0, second: 2, margin: 0, confidence: 0.5, distance: 2, outlier: 1 },
      { row: 9, cluster: 0, second: 1, margin: 9, confidence: 1, distance: 0, outlier: 1 },
    ]);
  });

  it("has no second where there is one cluster", () => {
    const one = fromNumbers("float32", [1, 1], [0.25]);
    const label = fromNumbers("int64", [1], [0]);
    expect(placementsOf({ label, distances: one, probabilities: one }, [0], [[0, 0.5]])).toEqual([
      { row: 0, cluster: 0, second: 0, margin: 0, confidence: 0.25, distance: 0.25, outlier: 0.5 },
    ]);
  });
});

describe("outlierOf", () => {
  it("is the share of rows that are nearer: linear between quantiles, 1 beyond the farthest", () => {
    const reach = [0, 1, 3, 3, 5];
    const found = [-1, 0, 0.5, 1, 2, 3, 4, 5, 5.1].map((distance) => outlierOf(distance, reach));
    expect(found).toEqual([0, 0, 0.125, 0.25, 0.375, 0.5, 0.875, 1, 1]);
  });

  it("is 0 for the only row there is, and 1 where there are none", () => {
    expect(outlierOf(2, [2, 2, 2])).toBe(0);
    expect(outlierOf(2, [])).toBe(1);
  });
});

describe("Moments", () => {
  it("are means and deviations, whole or put together, however large the numbers", () => {
    const rows = [1e8 + 1, 2, 1e8 + 2, 4, 1e8 + 6, 9];
    const [all, one, two] = [new Moments(2), new Moments(2), new Moments(2)];
    for (const at of [0, 2, 4]) all.add(rows, at);
    one.add(rows, 0);
    for (const at of [2, 4]) two.add(rows, at);
    const apart = all.meanWithout(one);
    one.merge(new Moments(2));
    one.merge(two);
    for (const moments of [all, one]) {
      expect(moments.count).toBe(3);
      expectClose(moments.mean, [1e8 + 3, 5], 1e-15);
      expectClose(moments.deviation(), [Math.sqrt(14 / 3), Math.sqrt(26 / 3)], 1e-9);
    }
    expectClose(apart, two.mean, 1e-12);
  });
});

describe("Quantiles", () => {
  it("are exact for few numbers", () => {
    const quantiles = new Quantiles("few");
    for (const value of [5, 1, 3]) quantiles.add(value);
    expect(quantiles.at(4)).toEqual([1, 2, 3, 4, 5]);
    expect(new Quantiles("none").at(100)).toEqual([]);
  });

  it("are within 3 % of the rows for many, with exact ends, whatever the order", () => {
    const count = 100_000;
    for (const order of [Random.seeded(3).permutation(count), Int32Array.from({ length: count }, (_, i) => i)]) {
      const quantiles = new Quantiles("many");
      for (const value of order) quantiles.add(value);
      const found = quantiles.at(100);
      expect([found[0], found[100]]).toEqual([0, count - 1]);
      found.forEach((value, q) => {
        expect(Math.abs(value / count - q / 100)).toBeLessThan(0.03);
      });
    }
  });
});

it("Fewest keeps the smallest in order, of equals the first, and makes no more than it takes", () => {
  const few = new Fewest<string>(3);
  let made = 0;
  const keys = [5, 1, 3, 3, 9, 0];
  keys.forEach((key, i) => {
    few.offer(key, () => `${key} at ${i} as ${++made}`);
  });
  expect(few.items()).toEqual(["0 at 5 as 5", "1 at 1 as 2", "3 at 2 as 3"]);
  expect(new Fewest(0).items()).toEqual([]);
});

describe("names", () => {
  const features: readonly Feature[] = [
    ...featuresOf(["price", "weight", "depth", "age", "a=b"]),
    { kind: "element", column: "embedding", index: 3 },
    { kind: "category", column: "city", value: "Rome" },
  ];
  const difference = (name: string, effect: number) => {
    const feature = features.findIndex((each) => featureName(each) === name);
    return { feature, name, here: 5, there: 2, effect };
  };
  const named = (distinguishing: readonly Difference[][]) => clusterNames(distinguishing, features);

  it("of features are columns or places", () => {
    expect(nameAt(1, [2], features)).toBe("weight");
    expect(nameAt(5, [7], features)).toBe("embedding[3]");
    expect(nameAt(3, [8])).toBe("x[3]");
    expect(nameAt(2 * 28 + 5, [1, 28, 28])).toBe("x[0,2,5]");
    expect(features.map(isTelling)).toEqual([true, true, true, true, true, false, true]);
    expect([isTelling({ kind: "number", column: "x[3]" }), isTelling(undefined)]).toEqual([true, false]);
  });

  it("of clusters say what is high and what is low, and nothing where nothing tells", () => {
    const names = named([
      [difference("price", 2), difference("weight", -1.5), difference("depth", 1.4)],
      [difference("weight", 3), difference("price", 0.6)],
      [difference("embedding[3]", 4), difference("price", 0.1)],
      [],
      [difference("city=Rome", 2)],
      [difference("city=Rome", -2)],
      [difference("a=b", -2)],
    ]);
    expect(names).toEqual([
      "high price, low weight",
      "high weight",
      "cluster 2",
      "cluster 3",
      "city=Rome",
      "not city=Rome",
      "low a=b",
    ]);
  });

  it("of clusters are never the same: one more column, or the number", () => {
    const alike = [difference("price", 2), difference("weight", -1.5)];
    expect(
      named([
        [...alike, difference("depth", 1)],
        [...alike, difference("age", 1)],
      ]),
    ).toEqual(["high price, low weight, high depth", "high price, low weight, high age"]);
    expect(named([alike, alike])).toEqual(["high price, low weight (cluster 0)", "high price, low weight (cluster 1)"]);
  });
});
