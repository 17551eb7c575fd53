import { describe, expect, test } from "vitest";
import { inspectRows } from "../../src/files/inspectRows.ts";
import { npyHeader } from "../../src/formats/npy.ts";
import { parquet, write } from "./folder.ts";

const query =
  "select i + 1 as \"Unnamed: 0\", 'p' || i as name, (i * 7919) % 1000 / 10 as age, ['man', 'woman'][1 + i % 2] as sex, case when i % 4 = 0 then null else (i * 31) % 17 end as fare, 2013 as year, date '2020-01-01' + (i % 40)::int as day, 'a long story about number ' || i || ' and what it did' as note from range(200) t(i)";
const roles = async (path: string, options = {}): Promise<Record<string, string>> => {
  const { columns } = await inspectRows(path, options);
  return Object.fromEntries(columns.map(({ name, role }) => [name, role]));
};
const expected = {
  "Unnamed: 0": "ignored",
  name: "id",
  age: "feature",
  fare: "feature",
  year: "ignored",
  day: "time",
  note: "text",
};

describe("every column of a file, without reading its rows", () => {
  test("is told with its role, what it holds and why; missing values are no matter", async () => {
    const path = await parquet("people.parquet", query);
    const { rows, columns } = await inspectRows(path);
    expect(rows).toBe(200);
    expect(await roles(path)).toMatchObject(expected);
    const told = new Map(columns.map((column) => [column.name, column]));
    expect(told.get("Unnamed: 0")).toEqual({
      ...{ name: "Unnamed: 0", role: "ignored", isUsed: false, type: "whole", missing: 0, distinct: 200 },
      ...{ range: [1, 100.5, 200], reason: "counts the rows, from 1 to 200" },
    });
    expect(told.get("fare")).toMatchObject({ missing: 0.25, isUsed: true });
    expect(told.get("sex")!.top).toEqual([
      ["man", 0.5],
      ["woman", 0.5],
    ]);
    expect(told.get("day")!.range).toEqual(["2020-01-01", "2020-02-09"]);
  });

  test("is the same in SQL, and for what somebody says", async () => {
    expect(await roles("q", { sql: query })).toMatchObject(expected);
    expect(await roles("q", { sql: query, columns: ["Unnamed: 0"], id: "none" })).toMatchObject({
      ...{ "Unnamed: 0": "feature", age: "ignored", name: "ignored" },
    });
  });

  test("a table without a feature is told as well", async () => {
    const path = await write("words.csv", "name\nAnna\nBert\nCarl\n");
    expect(await roles(path)).toEqual({ name: "id" });
  });

  test("dates as people write them are moments, and no id", async () => {
    const lines = Array.from(
      { length: 30 },
      (_, i) => `Jun ${i + 1} 1998,2015/01/01 ${10 + (i % 10)}:${10 + i}:00,${(i * i) % 7}`,
    );
    const path = await write("dates.csv", `released,seen,x\n${lines.join("\n")}\n`);
    expect(await roles(path)).toEqual({ released: "time", seen: "time", x: "feature" });
  });

  test("an array has numbers without names", async () => {
    const header = npyHeader("float32", [2, 3]);
    const path = await write("a.npy", Buffer.concat([header, Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer)]));
    const { columns } = await inspectRows(path);
    expect(columns).toMatchObject([{ name: "numbers", role: "feature", type: "vector of 3", range: [1, 6] }]);
  });
});
