/** Rows in words, where there is room for a few columns only. */

import { expect, test } from "vitest";
import type { Feature } from "../../src/data/feature.ts";
import { saidAlong, saidOfRow } from "../../src/explain/rows/saidOfRows.ts";

const features: readonly Feature[] = [
  { kind: "category", column: "kind", value: "classic" },
  { kind: "category", column: "kind", value: "veggie" },
  { kind: "number", column: "price" },
  { kind: "ordered", column: "size", values: ["S", "M", "L"] },
];

test("a row of a cluster is told by its values, and never by the numbers that stand for them", () => {
  const row = { values: [0, 1, 2_500_000, 1], filled: [2] };
  const telling = [
    { name: "size", feature: 3 },
    { name: "kind", feature: 0 },
    { name: "price", feature: 2 },
  ];
  expect(saidOfRow(row, telling, features)).toBe("size M, kind veggie, price 2.5 M filled in");
});

test("between two clusters columns are told once each, those that change most first", () => {
  const line = [
    [1, 0, 10, 1],
    [0.5, 0.5, 11, 1],
    [0, 1, 12, 1],
  ];
  expect(saidAlong(line, features, 2)).toEqual([
    { name: "kind", values: ["classic", "mostly classic, 50 %", "veggie"] },
    { name: "price", values: ["10", "11", "12"] },
  ]);
});
