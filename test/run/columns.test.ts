/** Values of a stream by the names of the columns a run was fitted to, as files/ reads them. */

import { describe, expect, it } from "vitest";
import { type Feature, featureNames } from "../../src/data/feature.ts";
import { openRows } from "../../src/files/openRows.ts";
import { csvHeader, jsonHeader, recordReader } from "../../src/run/stream/records.ts";
import { rowReader } from "../../src/run/stream/rowReader.ts";
import { write } from "../files/folder.ts";

const fitted = { features: [] as Feature[], ids: [] as string[], options: {} };

const number = (column: string): Feature => ({ kind: "number", column });
const element = (column: string, index: number): Feature => ({ kind: "element", column, index });
const category = (column: string, value: string): Feature => ({ kind: "category", column, value });

/** The numbers that a stream makes of the rows after the header. */
function read(text: string, features: readonly Feature[], more: object = {}): number[][] {
  const [first, ...rest] = text.trimEnd().split("\n");
  const isJson = first!.startsWith("{");
  const header = isJson ? jsonHeader(first!) : csvHeader(first!);
  const record = recordReader(header);
  const reader = rowReader("rows", header, { ...fitted, features, ...more });
  return (isJson ? [first!, ...rest] : rest).map((line) => [...reader.numbersOf(record(line))]);
}

describe("columns of a stream", () => {
  it("are read as those of a file are: numbers, booleans, dates and categories", async () => {
    const csv = [
      "day,city,open,price,when,name",
      '2024-02-29,Rome,true,1.5,2024-01-05 10:30,"1"',
      "1969-12-31,Oslo,f,-2e3,2024-01-05T10:30:15.25,NA",
      '2000-01-01,"Rome, Italy",YES,.25,1970-01-01 00:00:00,"a ""b"""',
      "",
    ].join("\n");
    const encode = ["day", "city", "open", "when"];
    const opened = await openRows(await write("kinds.csv", csv), { encode, id: "name" });
    const circles = (column: string, ...periods: string[]) =>
      periods.flatMap((period) => ["sin", "cos"].map((part) => `${part} of the ${period} of ${column}`));
    expect(featureNames(opened.features)).toEqual([
      ...["day", ...circles("day", "week", "year")],
      ...["city=Oslo", "city=Rome", "city=Rome, Italy", "open", "price"],
      ...["when", ...circles("when", "day", "week", "year")],
    ]);
    const wanted = Array.from({ length: 3 }, (_, i) => [...opened.data.tensor!.data.slice(17 * i, 17 * i + 17)]);
    expect(read(csv, opened.features)).toEqual(wanted);
    const json = ["2024-02-29,Rome,true,1.5,2024-01-05 10:30", "1969-12-31,Oslo,false,-2000,2024-01-05T10:30:15.25"]
      .map((line) => line.split(","))
      .map(([day, city, open, price, when]) =>
        JSON.stringify({ day, city, open: open === "true", price: Number(price), when }),
      )
      .join("\n");
    expect(read(json, opened.features)).toEqual(wanted.slice(0, 2));
  });

  it("may be parts of a vector, from a list or a list as text", () => {
    const columns = [...[0, 1, 2].map((index) => element("v", index)), number("x")];
    expect(read('{"x":9,"v":[1,2.5,-3]}\n{"v":"[4,5,6]","x":"7"}', columns)).toEqual([
      [1, 2.5, -3, 9],
      [4, 5, 6, 7],
    ]);
    expect(read('x;v\n9;"[1, 2, 3]"\n', columns)).toEqual([[1, 2, 3, 9]]);
    expect(() => read('{"x":9,"v":[1,2,3,4]}', columns)).toThrow("column v must be a list of 3 numbers, got 4");
    expect(() => read('{"x":9,"v":[1,2]}', columns)).toThrow("column v must be a list of 3 numbers, got 2");
    expect(() => read('{"x":9,"v":[1,"a",3]}', columns)).toThrow('column v[1] must be a number, got "a"');
    // Where single numbers of the vector were chosen, its length is not known.
    const chosen = { options: { columns: ["v[1]", "x"] } };
    expect(read('{"x":9,"v":[1,2,3,4]}', [element("v", 1), number("x")], chosen)).toEqual([[2, 9]]);
  });

  it("are filled where the fitted ones were", () => {
    const filled = [10, 20, 30, 40];
    const columns = [number("a"), number("b"), category("city", "Rome"), element("v", 0)];
    expect(read("a,b,city,v\nNaN,,?,null\n1,2,Rome,[3]\n", columns, { filled })).toEqual([
      [10, 20, 30, 40],
      [1, 2, 1, 3],
    ]);
    expect(read('{"a":1,"b":2,"city":"Oslo","v":[3]}\n{"v":[null]}', columns, { filled })).toEqual([
      [1, 2, 0, 3],
      [10, 20, 30, 40],
    ]);
    expect(() => read("a,b,city,v\n1,,Rome,[3]\n", columns)).toThrow("column b must have a value");
  });

  it("have ids that keep all their digits", () => {
    const header = jsonHeader('{"a":1,"id":1}');
    const reader = rowReader("rows", header, { ...fitted, features: [number("a")], ids: ["id", "gone"] });
    const record = recordReader(header);
    expect(reader.ids).toEqual(["id"]);
    expect(reader.idsOf(record('{"a":1,"id":"007"}'))).toEqual(["007"]);
    expect(reader.idsOf(record('{"a":1,"id":12}'))).toEqual(["12"]);
    expect(reader.idsOf(record('{"a":1}'))).toEqual([""]);
    expect(() => reader.idsOf(record('{"a":1,"id":12345678901234567890}'))).toThrow("written in quotes");
  });

  it("have numbers as people write them, with the decimal mark that the run knows", () => {
    const columns = [number("a"), number("b")];
    expect(read('a,b\n"$1,234",85 %\n(5),\u22123\n', columns)).toEqual([
      [1234, 85],
      [-5, -3],
    ]);
    expect(read("a;b\n1,5;1,234\n1.5;2\n", columns)).toEqual([
      [1.5, Math.fround(1.234)],
      [1.5, 2],
    ]);
    const marks = { a: "comma", b: "point" };
    expect(read("a;b\n1.234;1,234\n1.5;2\n", columns, { marks })).toEqual([
      [1234, 1234],
      [1.5, 2],
    ]);
    expect(() => read("a,b\n12 kg,1\n", columns)).toThrow('column a must be a number, got "12 kg"');
  });

  it("have the names that a file's columns have: distinct, whatever the case, and points for what is inside", async () => {
    const csv = " T,t,,x,x\n1,2,3,4,5\n";
    const opened = await openRows(await write("names.csv", csv));
    expect(featureNames(opened.features)).toEqual(["T", "t_2", "column2", "x", "x_2"]);
    expect(read(csv, opened.features)).toEqual([[1, 2, 3, 4, 5]]);
    const json = '{"at":{"geo":{"lat":1}},"at.height":2,"x":3}\n{"x":6,"at":{"geo":{"lat":4}},"at.height":5}\n';
    const nested = await openRows(await write("nested.jsonl", json));
    expect(featureNames(nested.features)).toEqual(["at.geo.lat", "at.height", "x"]);
    expect(read(json, nested.features)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });
});
