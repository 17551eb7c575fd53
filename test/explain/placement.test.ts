import { describe, expect, it } from "vitest";
import { outlierOf, placementsOf } from "../../src/explain/placement.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";

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
