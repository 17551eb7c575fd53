import { describe, expect, it } from "vitest";
import { alongPath, type Point } from "../../src/explain/rows/pathIntegral.ts";

/** F over rows of two numbers along the way from (0, 0) to `step`, exactly. */
function pointsOf(step: readonly [number, number], F: (x: number, y: number) => [F: number, dx: number, dy: number]) {
  const asked: number[] = [];
  const evaluate = async (places: readonly number[]): Promise<Point[]> => {
    asked.push(...places);
    return places.map((t) => {
      const [value, dx, dy] = F(t * step[0], t * step[1]);
      return { t, F: value, slope: [dx, dy], rounding: 0 };
    });
  };
  return { evaluate, asked };
}

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

describe("alongPath", () => {
  it("is exact for a cubic with the first points alone", async () => {
    // ∫ 3x² dx = x³ and ∫ y dx + x dy = xy, half of it each on a straight line.
    const { evaluate } = pointsOf([2, 3], (x, y) => [x ** 3 + x * y, 3 * x * x + y, x]);
    const { parts, remainder, evaluations, complete } = await alongPath([2, 3], evaluate);
    expect(parts[0]).toBeCloseTo(8 + 3, 10);
    expect(parts[1]).toBeCloseTo(3, 10);
    expect(Math.abs(remainder)).toBeLessThan(1e-10);
    expect(evaluations).toBe(17);
    expect(complete).toBe(true);
  });

  it("cuts where the slope jumps, and nowhere else", async () => {
    // A network's kink at x = 0.37, steep behind it.
    const kink = (x: number): [number, number, number] =>
      x < 0.37 ? [x - 5, 1, 0] : [x - 5 + 400 * (x - 0.37), 401, 0];
    const { evaluate, asked } = pointsOf([1, 1], kink);
    const { parts, start, end, remainder, complete } = await alongPath([1, 1], evaluate, { share: 1e-3 });
    expect(complete).toBe(true);
    expect(Math.abs(remainder)).toBeLessThanOrEqual(1e-3 * end);
    expect(start + sum(parts) + remainder).toBeCloseTo(end, 10);
    expect(parts[1]).toBe(0);
    for (const t of asked.slice(17)) expect(Math.abs(t - 0.37)).toBeLessThan(1 / 8);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("says so where the evaluations do not suffice, and what is missing", async () => {
    const wild = (x: number): [number, number, number] => [Math.sin(900 * x), 900 * Math.cos(900 * x), 0];
    const { evaluate } = pointsOf([1, 1], wild);
    const { parts, start, end, remainder, evaluations, complete } = await alongPath([1, 1], evaluate, { most: 40 });
    expect(complete).toBe(false);
    expect(evaluations).toBeLessThanOrEqual(40);
    expect(start + sum(parts) + remainder).toBeCloseTo(end, 10);
  });

  it("does not chase rounding", async () => {
    const noise = (x: number): [number, number, number] => [1e-7 * Math.sin(1e6 * x), 0, 0];
    const { evaluate } = pointsOf([1, 1], noise);
    const rounded = async (places: readonly number[]) =>
      (await evaluate(places)).map((point) => ({ ...point, rounding: 1e-7 }));
    expect((await alongPath([1, 1], rounded)).evaluations).toBe(17);
  });

  it("is nothing where there is no way to go", async () => {
    const { evaluate } = pointsOf([0, 0], (x, y) => [x + y + 2, 1, 1]);
    const { parts, remainder, complete, start } = await alongPath([0, 0], evaluate);
    expect([...parts, remainder, complete, start]).toEqual([0, 0, 0, true, 2]);
  });
});
