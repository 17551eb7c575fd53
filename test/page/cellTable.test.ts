/** Rows in the page's own memory are asked as the server's table is. */

import { expect, test } from "vitest";
import { CellTable, dateText, type PlacementName, placements } from "../../src/page/here/cellTable.ts";

const placed = {
  cluster: [0, 1, 1, 0],
  second: [1, 0, 0, 1],
  confidence: [0.9, 0.4, 0.8, 0.7],
  ...{ margin: [1, 2, 3, 4], distance: [1, 1, 1, 1], outlier: [0, 0, 0, 9] },
};
const table = new CellTable(
  [
    { name: "note", form: "none", cells: ["A leak", "hums", null, 'says "no", twice'] },
    { name: "size", form: "number", cells: [3, null, 1, 2] },
    { name: "day", form: "date", cells: [0, 19_782, 19_782.5, null] },
    { name: "kind", form: "category", cells: ["x", "y", "x", null] },
  ],
  placed,
  [0, 1, 3, 4],
);
const rows = (found: { rows: readonly { row: number }[] }): number[] => found.rows.map(({ row }) => row);

test("pages are filtered and sorted, missing values last", () => {
  expect(rows(table.page({ sort: { by: 1 } }))).toEqual([2, 3, 0, 1]);
  expect(rows(table.page({ sort: { by: 1, descending: true } }))).toEqual([0, 3, 2, 1]);
  expect(rows(table.page({ sort: { by: "confidence" }, limit: 2 }))).toEqual([1, 3]);
  expect(table.page({ filter: { text: "LEAK" } }).total).toBe(1);
  expect(rows(table.page({ filter: { clusters: [1], below: 0.5 } }))).toEqual([1]);
  expect(rows(table.page({ filter: { ranges: [{ column: 1, from: 2, to: 9 }] } }))).toEqual([0, 3]);
  expect(rows(table.page({ filter: { values: [{ column: 3, values: ["x", null] }] } }))).toEqual([0, 2, 3]);
});

test("a mask has a bit for each row, and comes back as a filter", () => {
  const mask = table.mask({ clusters: [1] });
  expect([...mask]).toEqual([0b0110]);
  expect(rows(table.page({ filter: { mask: btoa(String.fromCharCode(...mask)) } }))).toEqual([1, 2]);
});

test("columns are numbers, days, or codes of which 0 is missing", () => {
  expect([...table.numbers(1)]).toEqual([3, Number.NaN, 1, 2]);
  expect(table.numbers(2)).toBeInstanceOf(Float64Array);
  const { codes, values, hasOther } = table.codes(3);
  expect([[...codes], values, hasOther]).toEqual([[1, 2, 1, 0], ["x", "y"], false]);
});

test("a file of rows quotes what has to be quoted, and writes dates as people do", () => {
  const lines = table.csv({ filter: { rows: [2, 3] } }).split("\n");
  expect(lines[0]).toBe("row,cluster,second,confidence,margin,distance,outlier,note,size,day,kind");
  expect(lines[1]).toBe("3,1,0,0.8,3,1,0,,1,2024-02-29 12:00:00,x");
  expect(lines[2]).toBe('4,0,1,0.7,4,1,9,"says ""no"", twice",2,,');
  expect(dateText(19_782)).toBe("2024-02-29");
});

test("in a file of rows no text is a formula, and numbers are as exact as they were", () => {
  const placed = Object.fromEntries(placements.map((name) => [name, [0]])) as Record<PlacementName, number[]>;
  const columns = [
    { name: "=note", form: "none", cells: ["=cmd|' /C calc'!A1"] },
    { name: "size", form: "number", cells: [-1234567.875] },
  ] as const;
  const [header, line] = new CellTable(columns, placed, [1]).csv({}).split("\n");
  expect(header!.split(",").slice(7)).toEqual(["'=note", "size"]);
  expect(line!.split(",").slice(7)).toEqual(["'=cmd|' /C calc'!A1", "-1234567.875"]);
});
