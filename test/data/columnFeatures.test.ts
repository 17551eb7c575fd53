/** What numbers a column becomes. */

import { describe, expect, it } from "vitest";
import type { Column } from "../../src/data/column.ts";
import { featuresOf } from "../../src/data/columnFeatures.ts";
import { featureNames } from "../../src/data/feature.ts";
import { inWordOrder } from "../../src/data/wordOrder.ts";

const text = (rows: Record<string, number>, more = 0): Column => {
  const values = Object.entries(rows).sort(([, a], [, b]) => b - a);
  const count = values.reduce((sum, [, n]) => sum + n, more);
  return { name: "c", kind: "text", facts: { rows: count, missing: 0, distinct: values.length + more, values } };
};
const names = (column: Column) => featureNames(featuresOf(column));

describe("a text column", () => {
  it("of few values is a category, with a number for each", () => {
    expect(names(text({ male: 60, female: 40 }))).toEqual(["c=female", "c=male"]);
  });

  it("gathers what is rare into one; a single rare value stays itself", () => {
    expect(names(text({ a: 500, b: 480, x: 5, y: 4, z: 3 }))).toEqual(["c=a", "c=b", "c=other"]);
    expect(featuresOf(text({ a: 500, b: 480, x: 5, y: 4 })).at(-1)).toEqual({
      kind: "other",
      column: "c",
      except: ["a", "b"],
    });
    expect(names(text({ a: 500, b: 480, x: 5 }))).toEqual(["c=a", "c=b", "c=x"]);
  });

  it("of which most are rare has a number for the rest of them", () => {
    expect(names(text({ rome: 30 }, 200))).toEqual(["c=rome", "c=other"]);
    const hardly = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`v${i}`, 4]));
    expect(names(text(hardly)).length).toBe(31);
  });

  it("of words that have an order is their place in it; and as a person orders them", () => {
    const cut = text({ Fair: 10, Good: 20, "Very Good": 30, Premium: 30, Ideal: 40 });
    const values = ["Fair", "Good", "Very Good", "Premium", "Ideal"];
    expect(featuresOf(cut)).toEqual([{ kind: "ordered", column: "c", values }]);
    const said = ["raw", "cooked", "burnt"];
    expect(featuresOf(text({ raw: 10, burnt: 10, cooked: 9 }), said)).toEqual([
      { kind: "ordered", column: "c", values: said },
    ]);
  });
});

describe("words in order", () => {
  it.each([
    [
      ["high", "low", "medium"],
      ["low", "medium", "high"],
    ],
    [
      ["3rd", "1st", "2nd"],
      ["1st", "2nd", "3rd"],
    ],
    [
      ["25-34", "18-24", "65+", "<18", "35-64"],
      ["<18", "18-24", "25-34", "35-64", "65+"],
    ],
    [
      ["XL", "S", "M", "L"],
      ["S", "M", "L", "XL"],
    ],
    [
      ["Often", "never", "Always"],
      ["never", "Often", "Always"],
    ],
  ])("%j", (values, order) => {
    expect(inWordOrder(values)).toEqual(order);
  });

  it("is not found in names, codes, two words, or words for the same", () => {
    for (const values of [
      ["Rome", "Oslo", "Bonn"],
      ["a1", "a2", "a3"],
      ["low", "high"],
      ["medium", "mid", "low"],
    ]) {
      expect(inWordOrder(values)).toBeUndefined();
    }
  });
});

describe("numbers and dates", () => {
  const facts = { rows: 1000, missing: 0, distinct: 500 };
  const count = (quantiles: number[], most: number, whole = true, more = {}): Column => ({
    ...{ name: "n", kind: "number" },
    facts: { ...facts, least: 0, most, whole, quantiles, ...more },
  });

  it("of which most are small and few very large are counts, taken by their logarithms", () => {
    const kind = (column: Column) => featuresOf(column)[0]!.kind;
    expect(kind(count([0, 1, 3, 12, 200], 50_000))).toBe("count");
    // As symmetric as people's ages, parts of numbers, and a few values are not.
    expect(kind(count([5, 20, 40, 60, 80], 100))).toBe("number");
    expect(kind(count([0, 1, 3, 12, 200], 50_000, false))).toBe("number");
    expect(kind(count([0, 0, 0, 1, 2], 8))).toBe("number");
    // Nobody counts from 2,500 on; and seven levels of income are no counts, though they begin with 0.
    expect(kind(count([0, 1, 3, 12, 200], 50_000, true, { least: 2500 }))).toBe("number");
    expect(kind(count([0, 1, 3, 12, 200], 50_000, true, { distinct: 7 }))).toBe("number");
    // The prices of diamonds in dollars.
    expect(kind(count([544, 950, 2401, 5324, 13_107], 18_823))).toBe("number");
  });

  const dates = (least: number, most: number): Column => ({
    ...{ name: "t", kind: "date" },
    facts: { ...facts, least, most },
  });

  it("of dates: when, and where in each circle that they go round", () => {
    expect(names(dates(0, 5))).toEqual(["t"]);
    expect(names(dates(0, 60))).toEqual(["t", "sin of the week of t", "cos of the week of t"]);
    expect(names(dates(0, 3000)).slice(3)).toEqual(["sin of the year of t", "cos of the year of t"]);
    expect(names(dates(0.25, 5)).slice(1)).toEqual(["sin of the day of t", "cos of the day of t"]);
  });
});
