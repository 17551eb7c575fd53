/** Columns that are not learned from, as files give them. */

import { readFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ValueBeside } from "../../src/data/beside.ts";
import { type OpenOptions, openRows } from "../../src/files/openRows.ts";
import { openOutput } from "../../src/files/output/openOutput.ts";
import { parquet, write } from "./folder.ts";

const records = [
  { key: "a", price: 1.5, note: 'say "hi", all', city: "Rome", isOpen: true, day: "2024-02-29", label: "x", v: [1, 2] },
  { key: "b", price: 2.5, note: "two\nlines", city: "Oslo", isOpen: false, day: "1969-12-31", label: "y", v: [3, 4] },
  { key: "c", price: 3.5, note: null, city: null, isOpen: null, day: null, label: "x", v: [5, 6] },
];
const lines = await write("rows.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
const options: OpenOptions = { columns: ["v"], id: "key", withBeside: true };

async function beside(source: string, more: OpenOptions = {}) {
  const opened = await openRows(source, { ...options, ...more });
  const rows: (readonly ValueBeside[])[] = [];
  for await (const batch of opened.beside?.inOrder(2) ?? []) {
    expect(batch.length).toBeLessThanOrEqual(2);
    rows.push(...batch);
  }
  const columns = opened.beside?.columns ?? [];
  await opened.close();
  return { columns, rows };
}

describe("columns that are not learned from", async () => {
  const expected = {
    columns: [
      { name: "price", kind: "number" },
      { name: "note", kind: "text" },
      { name: "city", kind: "text" },
      { name: "isOpen", kind: "text" },
      { name: "day", kind: "date" },
    ],
    rows: [
      [1.5, 'say "hi", all', "Rome", "true", Date.UTC(2024, 1, 29) / 864e5],
      [2.5, "two\nlines", "Oslo", "false", -1],
      [3.5, null, null, null, null],
    ],
  };

  it("are what is neither a feature nor an id nor the label", async () => {
    expect(await beside(lines)).toEqual(expected);
  });

  it("are the same of CSV, Parquet, a query and standard input, in memory and streamed", async () => {
    const cell = (value: unknown): string =>
      value === null
        ? ""
        : `"${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`;
    const csv = [Object.keys(records[0]!), ...records.map((record) => Object.values(record).map(cell))];
    const table = await write("rows.csv", `${csv.map((cells) => cells.join(",")).join("\n")}\n`);
    const packed = await parquet("rows.parquet", `select * from read_json('${lines}')`);
    for (const inMemory of [2 ** 20, 0]) {
      expect(await beside(lines, { inMemory })).toEqual(expected);
      expect(await beside(table, { inMemory })).toEqual(expected);
      expect(await beside(packed, { inMemory })).toEqual(expected);
      expect(await beside("sql", { inMemory, sql: `select * from '${packed}'` })).toEqual(expected);
      expect(await beside("-", { inMemory, input: Readable.from([await readFile(lines)]) })).toEqual(expected);
    }
  });

  it("are without the rows that are left out", async () => {
    const { rows } = await beside(lines, { columns: ["v", "price"], missing: "drop" });
    expect(rows.length).toBe(3);
    const gaps = await write("gaps.csv", "a,b,note\n1,2,one\n,3,two\n4,5,three\n");
    expect((await beside(gaps, { columns: ["a", "b"], id: [], missing: "drop" })).rows).toEqual([["one"], ["three"]]);
  });

  it("are no counters, keys or constants, nor what says the same as another", async () => {
    const line = (_: unknown, i: number): string => {
      const kind = ["north", "south"][i % 2]!;
      return [
        i + 1,
        `k${i}`,
        7,
        Math.sin(i),
        (i * 7) % 5,
        kind,
        kind === "north" ? "N" : "S",
        `text ${i % 30} of it`,
      ].join();
    };
    const rows = Array.from({ length: 90 }, line).join("\n");
    const table = await write("counted.csv", `,key,same,a,b,side,label,note\n${rows}\n`);
    const { columns } = await beside(table, { columns: ["a"], id: "key" });
    expect(columns.map(({ name }) => name)).toEqual(["b", "note"]);
    const left = await beside(table, { columns: ["a"], id: "key", ignore: ["note"] });
    expect(left.columns).toEqual([
      { name: "b", kind: "number" },
      { name: "note", kind: "text", isLeftOut: true },
    ]);
  });

  it("are there only for whoever asks; a text that is named is the first, and no id", async () => {
    const { withBeside: _, ...rest } = options;
    expect((await openRows(lines, rest)).beside).toBeUndefined();
    const { columns } = await beside(lines, { text: "city" });
    expect(columns[0]).toEqual({ name: "city", kind: "text", isText: true });
    const unique = await write("unique.csv", "title,a\none,1\ntwo,2\nthree,3\n");
    expect((await openRows(unique, {})).ids?.names).toEqual(["title"]);
    expect((await openRows(unique, { text: "title" })).ids).toBeUndefined();
  });

  it("have dates beyond all calendars, endless ones and long texts in bounds", async () => {
    const odd = await parquet(
      "odd.parquet",
      "select [1.0, 2.0] as v, x as day, repeat('word ', 10000) as note from (values ('infinity'::timestamp), ('290000-01-01'::timestamp), (null)) t(x)",
    );
    const { rows } = await beside(odd, { id: [] });
    expect(rows.map(([day]) => day)).toEqual([null, expect.any(Number), null]);
    expect((rows[0]![1] as string).length).toBe(10_000);
  });
});

it("long texts are a line on a screen, and whole in a pipe", async () => {
  const written = async (isTTY: boolean): Promise<string> => {
    let text = "";
    const stream = new Writable({
      write(chunk, _, done) {
        text += chunk;
        done();
      },
    });
    const output = await openOutput("csv", [{ name: "note", type: "text" }], {
      stream: Object.assign(stream, { isTTY }),
    });
    await output.write([[`${"very ".repeat(40)}\nlong`], ["short"]]);
    await output.end();
    return text;
  };
  expect((await written(true)).split("\n")).toEqual([
    "note",
    expect.stringMatching(/^(very ){11}very ?…$/),
    "short",
    "",
  ]);
  expect(await written(false)).toBe(`note\n"${"very ".repeat(40)}\nlong"\nshort\n`);
});
