import fc from "fast-check";
import { expect, test } from "vitest";
import { keptTogether, predictionStrength } from "../../src/teachers/predictionStrength.ts";

const labels = (...values: number[]): Int32Array => Int32Array.from(values);

test("of four rows of which the other half takes one away, three of six pairs are kept together", () => {
  // Cluster 0: rows 0–3 go to 0, 0, 0, 1: pairs 3·2 of 4·3. Cluster 1: rows 4, 5 both go to 1.
  expect([...keptTogether(labels(0, 0, 0, 0, 1, 1), labels(0, 0, 0, 1, 1, 1), 2)]).toEqual([0.5, 1]);
  expect(predictionStrength(labels(0, 0, 0, 0, 1, 1), labels(0, 0, 0, 1, 1, 1), 2)).toBe(0.5);
});

test("a cluster of one row, or of none, foretells nothing", () => {
  expect([...keptTogether(labels(0, 0, 1), labels(0, 0, 1), 3)]).toEqual([1, 0, 0]);
});

test("it is from 0 to 1, 1 where both say the same, and does not see how clusters are numbered", () => {
  const two = fc.integer({ min: 4, max: 40 }).chain((n) => {
    const some = fc.array(fc.nat(2), { minLength: n, maxLength: n });
    return fc.tuple(some, some);
  });
  fc.assert(
    fc.property(two, ([a, b]) => {
      const [own, carried] = [labels(...a), labels(...b)];
      const strength = predictionStrength(own, carried, 3);
      expect(strength).toBeGreaterThanOrEqual(0);
      expect(strength).toBeLessThanOrEqual(1);
      const renamed = carried.map((label) => (label + 1) % 3);
      expect(predictionStrength(own, renamed, 3)).toBe(strength);
      const twice = labels(...a, ...a, 0, 0, 1, 1, 2, 2);
      expect(predictionStrength(twice, twice, 3)).toBe(1);
    }),
  );
});
