/** Masks, addresses, histograms, roles and turns: what the page knows without a browser. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchedColors } from "../../src/page/compare/matchedColors.ts";
import { bins, histogramOf } from "../../src/page/filters/histogram.ts";
import { rowsUnder } from "../../src/page/map/rowsUnder.ts";
import { Turns } from "../../src/page/panels/turns.ts";
import { anyRow, first, isAnyRow, read, type View, written } from "../../src/page/state/address.ts";
import { beginning } from "../../src/page/state/beginning.ts";
import { Mask } from "../../src/page/state/mask.ts";
import { rowOptions } from "../../src/page/training/roles.ts";

test("clusters of a second run look like those that they match, and the others like none of these", () => {
  const first = new Map([
    [0, 0],
    [1, 1],
    [2, 5],
  ]);
  const pairs = [
    { a: 0, b: 3 },
    { a: 2, b: 0 },
  ];
  const colors = matchedColors(first, pairs, [0, 1, 2, 3]);
  expect([colors.get(3), colors.get(0)]).toEqual([0, 5]);
  expect(new Set(colors.values()).size).toBe(4);
  const many = matchedColors(
    first,
    pairs,
    Array.from({ length: 30 }, (_, cluster) => cluster),
  );
  expect([...many.values()].every((color) => color >= 0 && color < 10)).toBe(true);
});

describe("a mask", () => {
  test("has a bit for each row, the lowest first, and counts them", () => {
    const mask = Mask.of(12, [0, 3, 9]);
    expect([...mask.bits]).toEqual([0b1001, 0b10]);
    expect(mask.count).toBe(3);
    expect(mask.rows()).toEqual([0, 3, 9]);
    expect(mask.rows(2)).toEqual([0, 3]);
    expect(mask.base64()).toBe(Buffer.from([9, 2]).toString("base64"));
    expect(mask.and(Mask.where(12, (row) => row > 2)).rows()).toEqual([3, 9]);
  });
});

test("of a run with more rows than its map has, it is said how many of them are there", () => {
  const onMap = Mask.where(120_000, (row) => row % 2 === 0);
  const told = (meant?: Mask): string => rowsUnder(120_000, onMap, meant).replaceAll(/\s/g, " ");
  expect(told()).toBe("120,000 rows, 60,000 of them on the map");
  expect(told(Mask.where(120_000, (row) => row < 30_001))).toBe(
    "30,001 rows of 120,000 rows (25 %), 15,001 of them on the map",
  );
  const all = Mask.where(12, () => true);
  expect(rowsUnder(12, all, undefined)).toBe("12 rows");
});

test("whoever names one run begins at its map, whoever names a file at its fit, and else at the list", () => {
  const done = { id: "pumps", state: "done" } as const;
  const stopped = { id: "half", state: "stopped" } as const;
  expect(beginning([done], 0)).toEqual({ page: "map", run: "pumps" });
  expect(beginning([], 1)).toEqual({ page: "training" });
  expect([beginning([], 0), beginning([done], 1), beginning([done, stopped], 0), beginning([stopped], 0)]).toEqual(
    Array(4).fill(undefined),
  );
});

describe("a view", () => {
  test("comes back from its address, whatever is looked at", () => {
    const count = fc.option(fc.nat(1e6), { nil: undefined });
    const place = fc.double({ min: -1e3, max: 1e3, noNaN: true }).map((value) => Number(value.toPrecision(6)));
    const name = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    const views: fc.Arbitrary<View> = fc.record({
      page: fc.constantFrom("runs", "map", "table", "compare", "training"),
      run: name,
      other: name,
      fit: name,
      color: fc.constantFrom("cluster", "confidence", "run", "column:3"),
      cluster: count,
      row: count,
      filter: fc.record({
        text: fc.string({ maxLength: 20 }),
        clusters: fc.array(fc.nat(99), { maxLength: 4 }),
        others: fc.array(fc.nat(99), { maxLength: 4 }),
        above: fc.nat(100).map((value) => value / 100),
        below: fc.nat(100).map((value) => value / 100),
        ranges: fc.array(fc.record({ column: fc.nat(99), from: place, to: place }), { maxLength: 3 }),
        marks: fc.array(fc.string({ minLength: 1, maxLength: 9 }), { maxLength: 3 }),
        values: fc.array(fc.record({ column: fc.nat(99), value: fc.string({ maxLength: 9 }) }), { maxLength: 3 }),
        lasso: fc.array(fc.tuple(place, place), { maxLength: 5 }),
      }),
      camera: fc.option(fc.record({ x: place, y: place, scale: fc.constant(2.5) }), { nil: undefined }),
    });
    fc.assert(
      fc.property(views, (view) => {
        expect(read(written(view))).toEqual(
          JSON.parse(JSON.stringify(view), (_, value) => (Object.is(value, -0) ? 0 : value)),
        );
      }),
    );
  });

  test("of an address that means nothing is as usual", () => {
    expect(read("page=nowhere&row=-1&cluster=x&below=7&range=3&at=1_2&lasso=1")).toEqual(first);
    expect(isAnyRow(first.filter)).toBe(true);
    expect(isAnyRow({ ...anyRow, below: 0.5 })).toBe(false);
    expect(written(first)).toBe("");
  });
});

test("a histogram counts all rows and those that are meant, and leaves out what is missing", () => {
  const values = [0, 1, 2, 39.99, 40, Number.NaN];
  const { from, to, all, meant } = histogramOf(values, (row) => row < 2)!;
  expect([from, to]).toEqual([0, 40]);
  expect(all.reduce((sum, count) => sum + count)).toBe(5);
  expect([all[0], all[1], all[2], all[bins - 1]]).toEqual([1, 1, 1, 2]);
  expect(meant.reduce((sum, count) => sum + count)).toBe(2);
  expect(histogramOf([Number.NaN])).toBeUndefined();
});

test("of roles, only what a person has changed is said", () => {
  const column = (name: string, role: "feature" | "id" | "ignored", type: string) =>
    ({ name, role, type, isUsed: role === "feature", reason: "", missing: 0 }) as const;
  const columns = [column("a", "feature", "number"), column("b", "feature", "number"), column("c", "ignored", "text")];
  expect(rowOptions({ columns }, {})).toEqual({});
  expect(rowOptions({ columns }, { a: "ignored" })).toEqual({ ignore: ["a", "c"] });
  expect(rowOptions({ columns }, { a: "id" })).toEqual({ id: ["a"] });
  expect(rowOptions({ columns }, { a: "label" })).toEqual({ label: "a" });
  expect(rowOptions({ columns }, { c: "feature" })).toEqual({ encode: ["c"] });
});

test("two have their turn at a time, and whoever does not want it any more makes way", () => {
  const turns = new Turns(2);
  const begun: string[] = [];
  const [first, second, third] = ["first", "second", "third", "fourth"].map((name) =>
    turns.take(() => begun.push(name)),
  );
  expect(begun).toEqual(["first", "second"]);
  third!();
  expect(begun).toEqual(["first", "second"]);
  first!();
  expect(begun).toEqual(["first", "second", "fourth"]);
  first!();
  turns.take(() => begun.push("fifth"));
  expect(begun).toEqual(["first", "second", "fourth"]);
  second!();
  expect(begun.at(-1)).toBe("fifth");
});
