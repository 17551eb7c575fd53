import { expect, test } from "vitest";
import { columnTable, fewColumns } from "../../src/cli/columns.ts";
import type { ColumnReport } from "../../src/data/columnReport.ts";
import { inspectRows } from "../../src/files/inspectRows.ts";
import { openRows } from "../../src/files/openRows.ts";
import { write } from "../files/folder.ts";

const report = (name: string, more: Partial<ColumnReport> = {}): ColumnReport => ({
  ...{ name, role: "feature", isUsed: true, type: "number", missing: 0, range: [0.42, 28, 80], reason: "numbers" },
  ...more,
});
const counter = report("column0", {
  ...{ role: "ignored", isUsed: false, type: "whole", range: [1, 446, 891] },
  reason: "counts the rows, from 1 to 891",
});

test("a table of columns: roles, what they hold, and why, broken where the line ends", () => {
  const columns = [counter, report("gross", { missing: 0.003, range: [0, 22_016_666.5, 760_167_650] })];
  expect(columnTable(columns, 72)).toBe(
    [
      "column   role     type    missing  values            why",
      "column0  ignored  whole         –  1 … 446 … 891     counts the rows,",
      "                                                     from 1 to 891",
      "gross    feature  number      1 %  0 … 22 M … 760 M  numbers",
    ].join("\n"),
  );
});

test("values get the room that reasons leave, and large numbers keep their whole digits", () => {
  const top = [["Unknown bird - small", 0.36] as const, ["Unknown bird - medium", 0.34] as const];
  const columns = [
    report("species", { type: "text", top, distinct: 2, reason: "two values" }),
    report("income", { range: [1.4e-4, 113_523.1, 1_318_683_096] }),
  ];
  expect(columnTable(columns, 104).split("\n").slice(1)).toEqual([
    "species  feature  text          –  Unknown bird - small 36 %, Unknown bird - medium 34 %  two values",
    "income   feature  number        –  1.40e−4 … 113,523 … 1.32 bn                            numbers",
  ]);
});

test("of frequent values as many are told as there is room for, none of them cut in the middle of a share", () => {
  const top = [["EWR", 0.372] as const, ["JFK", 0.331] as const, ["LGA", 0.297] as const];
  const long = [["DALLAS/FORT WORTH INTL ARPT", 0.09] as const, ["CHICAGO O'HARE INTL ARPT", 0.08] as const];
  const columns = [
    report("origin", { type: "text", top, distinct: 5, reason: "5 values, of which some are rare" }),
    report("airport", { type: "text", top: long, distinct: 50, reason: "50 values" }),
  ];
  expect(columnTable(columns, 60).split("\n").slice(1)).toEqual([
    "origin   feature  text        –  EWR 37 %, JFK 33 %, 3 more  5 values, of which",
    "                                                             some are rare",
    "airport  feature  text        –  DALLAS/FORT … 9 %, 49 more  50 values",
  ]);
});

test("of two hundred columns, the first lines of a fit show what is not learned from, and how many are", () => {
  const columns = [...Array.from({ length: 199 }, (_, i) => report(`gene${i}`)), counter];
  const lines = fewColumns(columns).split("\n");
  expect(lines.length).toBeLessThan(30);
  expect(lines[1]).toMatch(/^column0 +ignored/);
  expect(lines.at(-1)).toBe("and 176 more columns learned from: telltale inspect lists them all");
});

test("rows of a model that are no numbers: nothing is blamed that nobody said", async () => {
  const numbers = (second: string): string => `a,b\n1,4\n${second},5\n3,7\n`;
  const fitted = await openRows(await write("fitted.csv", numbers("2")));
  const wrong = await write("wrong.csv", numbers("two"));
  await expect(openRows(wrong, { like: fitted })).rejects.toThrow(
    /column a must be numbers as in the rows of the model, 1 of 3 values are not, the first in row 1: two; correct it$/,
  );
  await expect(openRows(wrong)).rejects.toThrow(/correct it, leave it out with --ignore, or name it in --encode/);
  const { columns } = await inspectRows(wrong);
  expect(columns[0]).toMatchObject({ role: "ignored", reason: expect.stringMatching(/two; a fit refuses it$/) });
});

test("what R and pandas export: the counter is not learned from, a word among few numbers is a category", async () => {
  const lines = Array.from(
    { length: 60 },
    (_, i) => `"${i + 1}",${i % 7 === 3 ? "rotary" : 4 + 2 * (i % 3)},${(i * 37) % 23}`,
  );
  const { columns } = await inspectRows(await write("export.csv", `"",Cylinders,power\n${lines.join("\n")}\n`));
  expect(columns[0]).toMatchObject({ role: "ignored", reason: "counts the rows, from 1 to 60" });
  expect(columns[1]).toMatchObject({ type: "text", distinct: 4 });
  expect(columns[2]!.role).toBe("feature");
});

test("a column of a type that is not read says which type it is", async () => {
  const { columns } = await inspectRows(await write("clock.csv", "a,at\n1,14:33:46\n2,13:29:36\n3,12:00:01\n"));
  expect(columns[1]).toMatchObject({ name: "at", role: "ignored", reason: "is of a type that is not read (time)" });
});
