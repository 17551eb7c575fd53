/** A table in memory gives the same rows as the same file through DuckDB. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { columnReport } from "../../src/data/columnReport.ts";
import { heldBeside, heldRows } from "../../src/data/held/heldRows.ts";
import { type HeldTable, tableOfTexts, tableOfValues } from "../../src/data/held/heldTable.ts";
import { writtenDays } from "../../src/data/held/writtenDays.ts";
import { inspectRows } from "../../src/files/inspectRows.ts";
import { openRows } from "../../src/files/openRows.ts";
import { write } from "../files/folder.ts";

/** Plain CSV: no value has a comma in it. */
function tableOf(name: string, text: string): HeldTable {
  const [header, ...lines] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return tableOfTexts(name, header!, lines);
}

const mixed = [
  "id,size,kind,when,is_new,price,note",
  ...Array.from({ length: 60 }, (_, i) =>
    [
      `a-${i}`,
      (10 + (i % 7) / 3).toFixed(2),
      ["red", "green", "blue"][i % 3],
      `2024-0${1 + (i % 9)}-1${i % 10}`,
      i % 4 === 0,
      i % 11 === 0 ? "" : `$1${i}.50`,
      `some words about it ${i}`,
    ].join(","),
  ),
].join("\n");

test.each([
  [
    "README's example",
    async () => readFile(fileURLToPath(new URL("../../examples/sensors.csv", import.meta.url)), "utf8"),
  ],
  ["categories, dates, booleans, written numbers and missing values", async () => mixed],
])("%s: the same roles, the same numbers", async (_, given) => {
  const text = await given();
  const path = await write("held.csv", text);
  const opened = await openRows(path, { missing: "mean", withBeside: true });
  const table = tableOf("held.csv", text);
  const held = heldRows("held.csv", table, { missing: "mean" });
  expect(held.roles.features).toEqual(opened.features);
  expect(held.numbers).toEqual(opened.data.tensor!.data);
  expect(held.filled).toEqual(opened.filled);
  const { columns } = await inspectRows(path);
  expect(held.roles.columns.map(columnReport)).toEqual(columns);
  expect(heldBeside(table, held).columns).toEqual(opened.beside?.columns ?? []);
  await opened.close();
});

test("missing values are refused, filled with the mean, or their rows left out", () => {
  const table = tableOf("rows", `x,y\n1,2\n,4\n5,${6}\n`);
  expect(() => heldRows("rows", table)).toThrow(/1 value is missing, the first in row 1, column x/);
  expect([...heldRows("rows", table, { missing: "mean" }).numbers]).toEqual([1, 2, 3, 4, 5, 6]);
  const dropped = heldRows("rows", table, { missing: "drop" });
  expect([[...dropped.numbers], [...dropped.places]]).toEqual([
    [1, 2, 5, 6],
    [0, 2],
  ]);
});

test("a word among numbers is refused, ragged rows too, and vectors of one length are features", () => {
  const numbers = Array.from({ length: 40 }, (_, i) => (i === 7 ? "broken" : String(i * 1.7)));
  const table = tableOf("rows", ["x,y", ...numbers.map((value, i) => `${value},${i}.5`)].join("\n"));
  expect(() => heldRows("rows", table)).toThrow(
    /column x should be numbers, 1 of 40 values are not, the first in row 7/,
  );
  expect(() => tableOf("rows", "x,y\n1\n")).toThrow(/every row must have 2 values as the header has, row 0 has 1/);
  const vectors = tableOfValues(
    "rows",
    new Map([
      [
        "v",
        [
          [1, 2],
          [3, 4],
          [5, 7],
        ],
      ],
    ]),
  );
  expect([...heldRows("rows", vectors).numbers]).toEqual([1, 2, 3, 4, 5, 7]);
});

test("dates of one form are days since 1970, in universal time", () => {
  expect(writtenDays(["1970-01-02", null, "2024-02-29T12:00:00Z"])).toEqual([1, null, 19_782.5]);
  expect(writtenDays(["02.01.1970"])).toEqual([1]);
  expect(writtenDays(["2024-02-30"])).toBeUndefined();
  expect(writtenDays(["1970-01-02", "soon"])).toBeUndefined();
});
