import { describe, expect, it } from "vitest";
import { neighbours } from "../../src/numerics/neighbours/neighbours.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { spreadOver } from "../../src/training/votes.ts";

describe("spreading", () => {
  it("gives each row the mean of its neighbours' rows, columns held at one sum and rows at 1", () => {
    // Row 0 looks at 1 and 2, row 1 at 0 and 2, row 2 at 0 and 1.
    const values = fromNumbers("float32", [3, 2], [1, 0, 0.5, 0.5, 0.2, 0.8]);
    spreadOver(values, Int32Array.of(1, 2, 0, 2, 0, 1), 1);
    // Means (.35, .65), (.6, .4), (.75, .25); columns sum to 1.7 and 1.3.
    const expected = [0.35 / 1.7, 0.65 / 1.3, 0.6 / 1.7, 0.4 / 1.3, 0.75 / 1.7, 0.25 / 1.3];
    for (let i = 0; i < 3; i++) {
      const [a, b] = [expected[2 * i]!, expected[2 * i + 1]!];
      expect(values.data[2 * i]).toBeCloseTo(a / (a + b), 6);
      expect(values.data[2 * i + 1]).toBeCloseTo(b / (a + b), 6);
    }
  });

  it("carries a label along a chain to where a center alone would not", async () => {
    // Two rows of points; only the first of each knows its cluster, and neighbours are along the rows.
    const line = 20;
    const codes = fromNumbers(
      "float32",
      [2 * line, 2],
      Array.from({ length: 2 * line }, (_, i) => [i % line, i < line ? 0 : 3]).flat(),
    );
    const values = fromNumbers(
      "float32",
      [2 * line, 2],
      Array.from({ length: 2 * line }, (_, i) => (i === 0 ? [1, 0] : i === line ? [0, 1] : [0.5, 0.5])).flat(),
    );
    spreadOver(values, (await neighbours(codes, 2, paceOf(undefined))).rows, 400);
    for (let i = 0; i < line; i++) {
      expect(values.data[2 * i]!).toBeGreaterThan(values.data[2 * i + 1]!);
      expect(values.data[2 * (line + i)]!).toBeLessThan(values.data[2 * (line + i) + 1]!);
    }
  });
});
