import { describe, expect, test } from "vitest";
import { writtenNumber } from "../../src/data/writtenNumber.ts";

describe("numbers as people write them", () => {
  test.each<[string, number | undefined, number | undefined]>([
    // text, with a decimal point, with a decimal comma
    ["12", 12, 12],
    ["$1,234", 1234, 1.234],
    ["$1,234.50", 1234.5, undefined],
    ["€ 1.234,50", undefined, 1234.5],
    ["1,5", undefined, 1.5],
    ["1.5", 1.5, undefined],
    ["1.234", 1.234, 1234],
    ["1 234,5", undefined, 1234.5],
    ["1\u00a0234", 1234, 1234],
    ["1'234.5", 1234.5, undefined],
    ["85 %", 85, 85],
    ["7%", 7, 7],
    ["(12.50)", -12.5, undefined],
    ["($3)", -3, -3],
    ["\u22123", -3, -3],
    ["-$5", -5, -5],
    ["$-5", -5, -5],
    ["US$3", 3, 3],
    ["3 EUR", 3, 3],
    ["1.5e3", 1500, undefined],
    [".5", 0.5, undefined],
  ])("%s is %s with points and %s with commas", (text, point, comma) => {
    expect(writtenNumber(text, "point")).toBe(point);
    expect(writtenNumber(text, "comma")).toBe(comma);
  });

  test.each([
    "",
    "-",
    "$",
    "%",
    "12 34",
    "1,23,456.5",
    "1,2345.6",
    "12 kg",
    "A 12",
    "ABC 123",
    "192.168.1.1",
    "1-2",
    "--5",
    "2024-01-31",
    "(5",
    "5)",
    "1e",
  ])("%j is none", (text) => {
    expect(writtenNumber(text, "point")).toBeUndefined();
    expect(writtenNumber(text, "comma")).toBeUndefined();
  });
});
