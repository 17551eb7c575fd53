import { describe, expect, it } from "vitest";
import { pairedTest, unpairedTest } from "../../bench/studentTest.ts";

describe("Student's t-test", () => {
  it("of two samples, by hand: t = (2 − 4)/√(1·(1/3 + 1/3)) with 4 degrees of freedom", () => {
    const { t, degrees, p } = unpairedTest([1, 2, 3], [3, 4, 5]);
    expect(t).toBeCloseTo(-2 / Math.sqrt(2 / 3), 12);
    expect(degrees).toBe(4);
    // 1 − t(t² + 6)/(t² + 4)^1.5, the distribution for 4 degrees of freedom.
    expect(p).toBeCloseTo(1 - (6 ** 0.5 * (6 + 6)) / 10 ** 1.5, 10);
  });

  it("of pairs looks at their differences: 1, 2 and 3 have t = 2√3 with 2 degrees of freedom", () => {
    const { t, degrees, p } = pairedTest([2, 4, 6], [1, 2, 3]);
    expect(t).toBeCloseTo(2 * Math.sqrt(3), 12);
    expect(degrees).toBe(2);
    // 1 − t/√(2 + t²) for 2 degrees of freedom.
    expect(p).toBeCloseTo(1 - (2 * Math.sqrt(3)) / Math.sqrt(14), 10);
  });

  it("has the tables' 0.05 at t = 2.262 for 9 degrees of freedom, and 0.5 at one quarter's quantile", () => {
    const at = (t: number): number => {
      // Ten differences of mean t·s/√10: nine equal steps around it.
      const base = Array.from({ length: 10 }, (_, i) => i - 4.5);
      const s = Math.sqrt(base.reduce((sum, value) => sum + value * value, 0) / 9);
      return pairedTest(
        base.map((value) => value + (t * s) / Math.sqrt(10)),
        base.map(() => 0),
      ).p;
    };
    expect(at(2.262157)).toBeCloseTo(0.05, 6);
    expect(at(0.702722)).toBeCloseTo(0.5, 6);
    expect(at(3.249836)).toBeCloseTo(0.01, 6);
  });

  it("finds no difference where there is none, and an endless one where nothing varies", () => {
    expect(pairedTest([1, 2], [1, 2]).p).toBe(1);
    expect(pairedTest([2, 3], [1, 2]).p).toBe(0);
    expect(() => pairedTest([1], [1, 2])).toThrow("t-test: pairs must match, got 1 and 2");
  });
});
