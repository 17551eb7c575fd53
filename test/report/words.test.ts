import { expect, test } from "vitest";
import { columnOrder } from "../../src/report/parts/classTable.ts";
import { mostConfused } from "../../src/report/parts/mostConfused.ts";
import { date, duration, list, number, percent, quantity, signed } from "../../src/report/parts/numbers.ts";
import { sample } from "./sample.ts";

test("numbers as people write them", () => {
  expect([0, 0.5, 0.012345, 12.345, 99.96, 2019.6, 39_246.4, -1.5, 1e-5, 2.5e12, Number.NaN].map(number)).toEqual([
    "0",
    "0.5",
    "0.0123",
    "12.3",
    "100",
    "2020",
    "39,246",
    "−1.5",
    "1.00e−5",
    "2.50e12",
    "–",
  ]);
  // Of millions nobody reads the last digits, and rows of 32 bits do not have them.
  expect([999_999, 999_999.7, 22_019_466, -2_767_891_499, 999.6e6, 999.4e9].map(number)).toEqual([
    "999,999",
    "1 M",
    "22 M",
    "−2.77 bn",
    "1 bn",
    "999 bn",
  ]);
  expect([0.123, -2, -0.001, Number.NaN].map(signed)).toEqual(["+0.12", "−2.00", "0.00", "–"]);
  expect([quantity(1, "row"), quantity(10_000, "row"), quantity(0, "row")]).toEqual(["1 row", "10,000 rows", "0 rows"]);
  expect([["a"], ["a", "b"], ["a", "b", "c"]].map(list)).toEqual(["a", "a and b", "a, b and c"]);
});

test("a share is never rounded to all or nothing", () => {
  const plain = (share: number): string => percent(share).replaceAll("\u00a0", " ");
  expect([0, 0.0001, 0.0312, 0.6666, 0.9951, 0.99999, 1].map(plain)).toEqual([
    "0 %",
    "under 0.1 %",
    "3.1 %",
    "67 %",
    "99.5 %",
    "over 99.9 %",
    "100 %",
  ]);
});

test("dates and durations", () => {
  expect(date("2026-11-15T14:53:42.123Z")).toBe("15 November 2026, 14:53 UTC");
  expect(date("2026-01-02T03:04:05-08:00")).toBe("2 January 2026, 03:04 (UTC−08:00)");
  expect(date("yesterday")).toBe("yesterday");
  expect([1.234, 75, 3600, 7500].map(duration)).toEqual([
    "1.23 seconds",
    "1 minute 15 seconds",
    "1 hour 0 minutes",
    "2 hours 5 minutes",
  ]);
});

test("two clusters are confused where rows are unsure, not where they merely have a next choice", () => {
  const { clusters } = sample();
  const sure = clusters.map((cluster, i) => ({
    ...cluster,
    neighbours: [
      { cluster: (i + 1) % 3, share: i === 0 ? 1 : 0.5 },
      { cluster: (i + 2) % 3, share: i === 0 ? 0 : 0.5 },
    ],
    confidence: { ...cluster.confidence, mean: i === 0 ? 0.99 : 0.6 },
  }));
  const found = mostConfused(sure)!;
  expect(found.pair.map(({ cluster }) => cluster)).toEqual([1, 2]);
  expect(found.doubt).toBeCloseTo(0.2);
  expect(mostConfused(clusters.slice(0, 1))).toBeUndefined();
});

test("the columns of the table follow the classes", () => {
  expect(
    columnOrder(
      [
        [1, 9, 0],
        [8, 1, 2],
        [0, 3, 7],
      ],
      [0, 1, 2],
    ),
  ).toEqual([1, 0, 2]);
  // More clusters than classes, and more classes than clusters.
  expect(columnOrder([[1, 0, 9]], [0, 1, 2])).toEqual([2, 0, 1]);
  expect(
    columnOrder(
      [
        [1, 9],
        [1, 1],
        [9, 0],
      ],
      [0, 1],
    ),
  ).toEqual([1, 0]);
});
