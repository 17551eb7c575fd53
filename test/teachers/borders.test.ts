import { expect, test } from "vitest";
import { bordersOf, emptiness, emptyFrom } from "../../src/teachers/borders.ts";

test("a row at a border has the rank of its distance in its own cluster, and counts the less the further it looks", () => {
  // Cluster 0 has r 1, 2, 3, 4: 3 of 4 are below the last and none is as large, F = (3 + 4)/8. Cluster 1 has 5, 6: F of
  // the first is (0 + 1)/4. With R of 2 and 4: Σ F/R = 7/16 + 1/16.
  const found = bordersOf(
    Int32Array.of(0, 0, 0, 0, 1, 1),
    Float64Array.of(1, 2, 3, 4, 5, 6),
    Float64Array.of(0, 0, 0, 2, 4, 0),
    2,
  );
  expect(found).toEqual({ rows: 2, weight: 0.75, ranks: 0.5 });
});

test("borders without a row are as empty as can be, and a full one is as dense as its ranks say", () => {
  expect(emptiness({ rows: 0, weight: 0, ranks: 0 })).toBe(1);
  expect(emptiness({ rows: 100, weight: 10, ranks: 5 })).toBe(0.5);
  // Four rows of middling rank, and four that even a line would have: (4·½ + 4)/8.
  expect(emptiness({ rows: 4, weight: 2, ranks: 1 })).toBe(0.75);
});

test("what may be chance is less, the more rows there are at a border", () => {
  expect(emptyFrom(0)).toBe(emptyFrom(8));
  // ½ + 3·√(1/12)/√300 = 0.55
  expect(emptyFrom(300)).toBeCloseTo(0.55, 10);
});
