import { describe, expect, it } from "vitest";
import type { ColumnBeside, ValueBeside } from "../../../src/data/beside.ts";
import { BesideTally } from "../../../src/explain/beside/besideTally.ts";
import { besideWords, saidBeside } from "../../../src/explain/beside/besideWords.ts";

function described(columns: readonly ColumnBeside[], rows: readonly (readonly [number, ...ValueBeside[]])[], k = 2) {
  const tally = new BesideTally(columns, k, rows.length);
  for (const [cluster, ...values] of rows) tally.add(cluster, values);
  return tally.describe();
}

const text = (name: string, isText = false): ColumnBeside => ({ name, kind: "text", ...(isText && { isText }) });

describe("columns beside the features", () => {
  it("of numbers have means, and differences in deviations", () => {
    const [here, there] = described(
      [{ name: "price", kind: "number" }],
      [
        [0, 1],
        [0, 3],
        [1, 6],
        [1, null],
        [1, Number.NaN],
        [1, 10],
      ],
    );
    // All: 1, 3, 6, 10, with a mean of 5 and a deviation of √(16 + 4 + 1 + 25)/2.
    const effect = (2 - 8) / Math.sqrt(46 / 4);
    expect(here).toEqual([{ kind: "number", column: "price", here: 2, there: 8, effect }]);
    expect(there).toEqual([{ kind: "number", column: "price", here: 8, there: 2, effect: -effect }]);
    expect(besideWords(here![0]!)).toBe("mean 2, elsewhere 8");
  });

  it("of dates have a span and a mean, by the day or by the minute", () => {
    const days = (iso: string): number => Date.parse(iso) / 864e5;
    const dates = (...texts: string[]) =>
      described(
        [{ name: "day", kind: "date" }],
        texts.map((iso, i) => [i % 2, days(iso)]),
      )[0]![0]!;
    const long = dates("2024-02-28T00:00Z", "2020-01-01T00:00Z", "2024-03-01T00:00Z", "2020-01-03T00:00Z");
    expect(long).toMatchObject({ from: "2024-02-28", to: "2024-03-01", here: "2024-02-29", there: "2020-01-02" });
    expect(besideWords(long)).toBe("2024-02-28 to 2024-03-01, mean 2024-02-29, elsewhere 2020-01-02");
    expect(dates("2024-01-01T10:30Z", "2024-01-01T08:00Z")).toMatchObject({ from: "2024-01-01 10:30" });
    // No calendar of ours has this day.
    expect(described([{ name: "day", kind: "date" }], [[0, 2e8]], 1)).toEqual([[]]);
  });

  it("of a few texts have shares of all rows, also of those that have none", () => {
    const rows: [number, ValueBeside][] = [
      ...([
        [0, "Rome"],
        [0, "Rome"],
        [0, "Oslo"],
        [0, null],
      ] as [number, ValueBeside][]),
      ...([
        [1, "Oslo"],
        [1, "Oslo"],
        [1, "Oslo"],
        [1, "Oslo"],
      ] as [number, ValueBeside][]),
    ];
    const [here, there] = described([text("city")], rows);
    expect(here).toEqual([
      {
        kind: "category",
        column: "city",
        values: [
          { value: "Rome", here: 0.5, there: 0 },
          { value: "Oslo", here: 0.25, there: 1 },
        ],
      },
    ]);
    expect(besideWords(here![0]!)).toBe("mostly Rome, 50 % (elsewhere 0 %)");
    expect(besideWords(there![0]!)).toBe("all Oslo (elsewhere 25 %)");
    expect(saidBeside(here)).toMatchObject({ phrases: ["city mostly Rome"], column: "city" });
  });

  it("of many texts, or what somebody calls text, have words, the longest texts' first", () => {
    const rows = Array.from({ length: 200 }, (_, i): [number, string, string, string] => {
      const subject = i % 2 ? "parse the json" : "draw a canvas";
      return [i % 2, `item ${i}`, `${subject} of number ${i} as well as one can`, i % 2 ? "left" : "right"];
    });
    const columns = [text("name"), text("about"), text("side")];
    const [drawing] = described(columns, rows);
    expect(drawing!.map(({ kind, column }) => [kind, column])).toEqual([
      ["words", "about"],
      ["category", "side"],
    ]);
    expect(saidBeside(drawing)).toMatchObject({ phrases: ["canvas", "draw"], column: "about" });
    const [said] = described([text("name"), text("about"), text("side", true)], rows);
    expect(said!.map(({ kind, column }) => [kind, column])).toEqual([
      ["words", "side"],
      ["words", "about"],
    ]);
  });

  it("that somebody left out say what they say, and name nothing", () => {
    const rows = Array.from({ length: 20 }, (_, i): [number, string] => [
      i % 2,
      `mail ${i} to ${i % 2 ? "ann" : "bob"}`,
    ]);
    const tally = new BesideTally([{ name: "mail", kind: "text", isLeftOut: true }], 2, rows.length);
    for (const [cluster, value] of rows) tally.add(cluster, [value]);
    const [said] = tally.describe();
    expect(besideWords(said![0]!)).toBe("bob");
    expect(tally.naming(said!)).toEqual([]);
    expect(tally.textAt).toBeUndefined();
  });

  it("are counted in memory and time that do not grow: words of a sample, shares of all", () => {
    const tally = new BesideTally([text("note", true), text("side")], 2, 4000, 500);
    for (let i = 0; i < 4000; i++) tally.add(i % 2, [i % 4 === 1 ? "seldom here" : "usual", i % 2 ? "left" : "right"]);
    const [, odd] = tally.describe();
    const words = odd!.find((says) => says.kind === "words")!;
    expect(words.words[0]!.here).toBeCloseTo(0.5, 1);
    expect(words.words[0]!.here).not.toBe(0.5);
    expect(odd!.find((says) => says.kind === "category")).toMatchObject({
      values: [{ value: "left", here: 1, there: 0 }],
    });
  });
});
