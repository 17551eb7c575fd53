/** Columns whose names look like something else: what is made of a row is the same wherever the row goes. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../src/files/tables/database.ts";
import { telltale } from "../cli/process.ts";
import { folder, write } from "../files/folder.ts";

/** Rows by column: numbers under names that look like an element or a category, beside real ones of the same names. */
const rows = Array.from({ length: 24 }, (_, i) => {
  const side = i % 2;
  return {
    "a=b": i + 10 * side,
    a: side === 0 ? "b" : "c",
    "x[3]": 3 * i,
    x: [i, side, -i, 100 * side + i / 4],
    "x[3]=y": -i / 2,
    'say "hi", you': i * i,
    city: ["Rome", "L'Aquila", "New  York", "back\\slash"][i % 4]!,
    open: side === 1,
    day: `2024-01-${String(i + 1).padStart(2, "0")}`,
  };
});
type Row = (typeof rows)[number];
const cities = ["L'Aquila", "New  York", "Rome", "back\\slash"];

/** What a row is by hand, in the order of the columns. */
const numbersOf = (row: Row): number[] => [
  row["a=b"],
  row["x[3]"],
  ...row.x,
  row["x[3]=y"],
  row['say "hi", you'],
  ...cities.map((city) => Number(row.city === city)),
  Number(row.open),
  Date.parse(row.day) / 86_400_000,
];

const names = Object.keys(rows[0]!) as (keyof Row)[];
const quoted = (value: unknown): string =>
  `"${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`;
const csv = (columns: readonly (keyof Row)[], of: readonly Row[] = rows): string =>
  [columns.map(quoted), ...of.map((row) => columns.map((name) => quoted(row[name])))]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");

const run = join(folder, "odd");
let source: string;

beforeAll(async () => {
  source = await write("odd.csv", csv(names));
  const quick = ["--set", "hidden=8", "--set", "pretraining=2", "--epochs", "2", "--restarts", "1"];
  const words = ["fit", source, "-k", "2", "--out", run, "--encode", "city,open,day", ...quick, "--no-map", "--no-report"];
  const { code, err } = await telltale(words);
  expect(code, err).toBe(0);
});

async function queried(sql: string): Promise<unknown[][]> {
  const database = await Database.open({ memory: 200 }, (error) => error);
  try {
    return await database.rows(sql);
  } finally {
    database.close();
  }
}

describe("columns named a=b, x[3], x[3]=y, with quotes and commas", () => {
  it("are themselves in SQL, as DuckDB computes it, beside elements, categories, booleans and dates", async () => {
    const out = join(folder, "odd.sql");
    const { code, err } = await telltale(["export", run, "--target", "sql", "--out", out]);
    expect(code, err).toBe(0);
    const list = /infera_predict_multi_list\('odd',\n(.*?)\n {2}\) AS distances/s.exec(await readFile(out, "utf8"))![1]!;
    const found = await queried(`select ${list} from '${source}'`);
    expect(found).toEqual(rows.map((row) => numbersOf(row).map(Math.fround)));
  });
});
