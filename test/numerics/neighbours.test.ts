import { describe, expect, it } from "vitest";
import { neighbours } from "../../src/numerics/neighbours.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { spreadOver } from "../../src/training/votes.ts";

/** The nearest rows of one row, by looking at all. */
function byLooking({ data, shape }: Tensor<"float32">, row: number, count: number): number[] {
  const [n, d] = shape as [number, number];
  const distance = (other: number): number =>
    Array.from({ length: d }, (_, c) => (data[row * d + c]! - data[other * d + c]!) ** 2).reduce((a, b) => a + b, 0);
  return Array.from({ length: n }, (_, i) => i)
    .filter((other) => other !== row)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}

describe("neighbours", () => {
  it("are exact among few rows, nearest first, without the row itself", () => {
    const codes = tensor("float32", [50, 3], Random.seeded(1).normals(150));
    const found = neighbours(codes, 4, Random.seeded(2));
    for (let row = 0; row < 50; row++) expect([...found.slice(4 * row, 4 * row + 4)]).toEqual(byLooking(codes, row, 4));
  });

  it("are almost all found among many rows, where only near cells are searched", () => {
    const codes = tensor("float32", [6000, 5], Random.seeded(3).normals(30_000));
    const found = neighbours(codes, 5, Random.seeded(4));
    let right = 0;
    for (let row = 0; row < 6000; row += 100) {
      const own = new Set(found.subarray(5 * row, 5 * row + 5));
      right += byLooking(codes, row, 5).filter((other) => own.has(other)).length;
    }
    expect(right / 300).toBeGreaterThan(0.9);
  });

  it("are fewer where there are not enough rows", () => {
    const found = neighbours(fromNumbers("float32", [2, 1], [0, 1]), 3, Random.seeded(1));
    expect([...found]).toEqual([1, -1, -1, 0, -1, -1]);
  });
});

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

  it("carries a label along a chain to where a center alone would not", () => {
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
    spreadOver(values, neighbours(codes, 2, Random.seeded(1)), 400);
    for (let i = 0; i < line; i++) {
      expect(values.data[2 * i]!).toBeGreaterThan(values.data[2 * i + 1]!);
      expect(values.data[2 * (line + i)]!).toBeLessThan(values.data[2 * (line + i) + 1]!);
    }
  });
});
