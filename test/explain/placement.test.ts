import { describe, expect, it } from "vitest";
import { placementsOf } from "../../src/explain/placement.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";

describe("placementsOf", () => {
  const values = {
    label: fromNumbers("int64", [3], [1, 0, 0]),
    distances: fromNumbers("float32", [3, 3], [4, 1, 3, 2, 5, 2, 0, 9, 9]),
    probabilities: fromNumbers("float32", [3, 3], [0.25, 0.5, 0.25, 0.5, 0, 0.5, 1, 0, 0]),
  };

  it("reads cluster, second, margin, confidence and distance off a run", () => {
    const { placements, far } = placementsOf(values, [7, 8, 9]);
    expect(placements).toEqual([
      { row: 7, cluster: 1, second: 2, margin: 2, confidence: 0.5, distance: 1, outlier: 1 },
      { row: 8, cluster: 0, second: 2, margin: 0, confidence: 0.5, distance: 2, outlier: 1 },
      { row: 9, cluster: 0, second: 1, margin: 9, confidence: 1, distance: 0, outlier: 1 },
    ]);
    expect(far).toEqual([{ distance: 1 }, { distance: 2 }, { distance: 0 }]);
  });

  it("has no second where there is one cluster", () => {
    const one = fromNumbers("float32", [1, 1], [0.25]);
    const label = fromNumbers("int64", [1], [0]);
    const { placements } = placementsOf({ label, distances: one, probabilities: one }, [0], {
      reach: [{ reach: [0, 0.5] }],
    });
    expect(placements).toEqual([
      { row: 0, cluster: 0, second: 0, margin: 0, confidence: 0.25, distance: 0.25, outlier: 0.5 },
    ]);
  });

  it("takes means over the numbers that are known: of what is half missing, the rest counts twice", () => {
    const more = { apart: fromNumbers("float32", [3], [1, 1, 0]), error: fromNumbers("float32", [3], [2, 2, 0]) };
    const { far } = placementsOf({ ...values, ...more }, [0, 1, 2], { known: [1, 0.25, 0] });
    const nothing = Number.POSITIVE_INFINITY;
    expect(far).toEqual([
      { distance: 1, apart: 1, error: 2 },
      { distance: 2, apart: 2, error: 4 },
      { distance: nothing, apart: nothing, error: nothing },
    ]);
  });
});
