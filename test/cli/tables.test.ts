import { expect, test } from "vitest";
import { cut, decimal, duration, hanging, pairs, table } from "../../src/cli/tables.ts";
import { percent } from "../../src/text/shares.ts";
import { thousands } from "../../src/text/thousands.ts";

test("a table has its numbers to the right and its texts to the left", () => {
  const columns = [{ title: "cluster", align: "right" }, { title: "size", align: "right" }, { title: "name" }] as const;
  const text = table(columns, [
    ["0", "1,200", "high price"],
    ["11", "7", "low price"],
  ]);
  expect(text.split("\n")).toEqual(["cluster   size  name", "      0  1,200  high price", "     11      7  low price"]);
});

test("a line is never longer than the width, and nothing in a cell can command the terminal", () => {
  const text = table([{ title: "a" }, { title: "b" }], [["x", `red \u001b[31m\nline ${"long ".repeat(50)}`]], 40);
  const lines = text.split("\n");
  expect(lines).toHaveLength(2);
  expect(Math.max(...lines.map((line) => line.length))).toBe(40);
  expect(text).toMatch(/…$/);
  expect(lines.join("")).not.toMatch(/\p{Cc}/u);
});

test("long values continue under where they began", () => {
  expect(hanging("a: ", "one two three four five six seven", 25)).toBe("a: one two three four\n   five six seven");
  expect(
    pairs([
      ["name", "x"],
      ["n", "y"],
    ]),
  ).toBe("name  x\nn     y");
});

test("a number stays in one line with its unit", () => {
  expect(hanging("", "twenty-one M of 54 % and 22 M", 20)).toBe("twenty-one M of 54 %\nand 22 M");
  expect(hanging("", "the share of a is 54 %.", 20)).toBe("the share of a is\n54 %.");
});

test("numbers as people read them", () => {
  expect([thousands(1234567), percent(0.1234, 1), cut("abcdef", 4)]).toEqual(["1,234,567", "12.3 %", "abc…"]);
  expect([0, 3, 0.123456, 1e-7, 123456.789, -2.5].map(decimal)).toEqual([
    "0",
    "3",
    "0.1235",
    "1.000e-7",
    "123500",
    "-2.5",
  ]);
  expect([0.4, 59.6, 60, 200, 3600, 7500].map(duration)).toEqual([
    "0 s",
    "1 min",
    "1 min",
    "3 min 20 s",
    "1 h 0 min",
    "2 h 5 min",
  ]);
});
