import { describe, expect, it } from "vitest";
import { Quantiles } from "../../src/numerics/quantiles.ts";
import { Random } from "../../src/tensor/random.ts";

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
