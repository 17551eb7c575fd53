import { describe, expect, it } from "vitest";
import { trustworthiness } from "../../src/map/trustworthiness.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";

describe("trustworthiness", () => {
  it("is 1 − 2 / (nk(2n − 3k − 1)) Σ (r − k): one wrong neighbour of rank 4 by hand", () => {
    const codes = fromNumbers("float32", [5, 1], [0, 1, 2.1, 3.3, 4.6]);
    const straight = fromNumbers("float32", [5, 2], [0, 0, 1, 0, 2.1, 0, 3.3, 0, 4.6, 0]);
    expect(trustworthiness(codes, straight, { neighbours: 1 })).toBe(1);
    // The last row is drawn beside the first: each is the other's neighbour there, of rank 4 and 4.
    const bent = fromNumbers("float32", [5, 2], [0, 0, 1, 0, 2.1, 0, 3.3, 0, -0.5, 0]);
    expect(trustworthiness(codes, bent, { neighbours: 1 })).toBeCloseTo(1 - (2 / (5 * 1 * 6)) * (3 + 3), 12);
  });

  it("looks at some of the rows if told so, and refuses what does not fit", () => {
    const codes = tensor("float32", [100, 3], Random.seeded(9).normals(300));
    const flat = tensor(
      "float32",
      [100, 2],
      codes.data.filter((_, at) => at % 3 < 2),
    );
    expect(trustworthiness(codes, flat, { rows: 50 })).toBeCloseTo(trustworthiness(codes, flat), 1);
    expect(trustworthiness(codes, codes)).toBe(1);
    expect(() => trustworthiness(codes, fromNumbers("float32", [50, 2], new Float32Array(100)))).toThrow(
      "trustworthiness: 100 codes need positions of shape [100,m], got [50,2]",
    );
    expect(() => trustworthiness(codes, flat, { neighbours: 50 })).toThrow(
      "must be from 1 to below half of the 100 rows, got 50",
    );
  });
});
