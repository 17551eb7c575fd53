/** Columns whose names look like something else: what is made of a row is the same wherever the row goes. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openRows } from "../../src/files/openRows.ts";
import { telltale } from "../cli/process.ts";
import { folder, write } from "../files/folder.ts";
import { queried } from "../support/queried.ts";

/** Rows by column: numbers under names that look like an element or a category, beside real ones of the same names. */
const rows = Array.from({ length: 24 }, (_, i) => {
  const side = i % 2;
  return {
    "a=b": (i % 5) + 10 * side,
    a: side === 0 ? "b" : "c",
    "x[3]": 3 * i,
    x: [i, side, 1 - i, 100 * side + i / 4],
    "x[3]=y": 7 - (i % 7) / 2,
    'say "hi", you': i * i,
    city: ["Rome", "L'Aquila", "New  York", "back\\slash"][i % 4]!,
    open: side === 1,
    // Not long enough for weeks to come round.
    day: `2024-01-${String((i % 10) + 1).padStart(2, "0")}`,
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
  const words = [
    "fit",
    source,
    "-k",
    "2",
    "--out",
    run,
    "--encode",
    "city,open,day",
    ...quick,
    "--no-map",
    "--no-report",
  ];
  const { code, err } = await telltale(words);
  expect(code, err).toBe(0);
});

/** What a command says of each row: its cluster, and how sure that is. */
async function placed(...words: string[]): Promise<unknown[]> {
  const { code, out, err } = await telltale([...words, "--format", "jsonl", "--quiet"]);
  expect(code, err).toBe(0);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ cluster, confidence, distance }) => ({ cluster, confidence, distance }));
}

describe("columns named a=b, x[3], x[3]=y, with quotes and commas", () => {
  it("are themselves where they are read, whatever their order, and beside elements, categories, booleans and dates", async () => {
    const opened = await openRows(source, { encode: ["city", "open", "day"] });
    const wanted = rows.flatMap((row) => numbersOf(row).map(Math.fround));
    expect([...opened.data.tensor!.data]).toEqual(wanted);
    const { features } = JSON.parse(await readFile(join(run, "run.json"), "utf8")).source;
    expect(features).toEqual(opened.features);
    const reversed = await write("reversed.csv", csv(names.toReversed()));
    expect([...(await openRows(reversed, { like: { features } })).data.tensor!.data]).toEqual(wanted);
  });

  it("are what someone means who names them, an exact name before a part of another column", async () => {
    const columns = ["x[3]=y", "x[3]", "a=b", "x[1]", "city=Rome"];
    const opened = await openRows(source, { columns });
    const wanted = rows.flatMap((row) => [row["x[3]=y"], row["x[3]"], row["a=b"], row.x[1], +(row.city === "Rome")]);
    expect([...opened.data.tensor!.data]).toEqual(wanted);
    expect(opened.features.map(({ kind }) => kind)).toEqual(["number", "number", "number", "element", "category"]);
  });

  it("are assigned and streamed alike, as CSV in another order and as JSON lines", async () => {
    const wanted = await placed("assign", run, source);
    expect(wanted.length).toBe(rows.length);
    const reversed = await write("again.csv", csv(names.toReversed()));
    const lines = await write("again.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    expect(await placed("assign", run, reversed)).toEqual(wanted);
    expect(await placed("assign", run, lines)).toEqual(wanted);
    expect(await placed("stream", run, reversed, "--frozen")).toEqual(wanted);
    expect(await placed("stream", run, lines, "--frozen", "--restart")).toEqual(wanted);
  });

  it("are missed by their own names", async () => {
    const without = names.filter((name) => name !== "a=b" && name !== "x[3]");
    const file = await write("without.csv", csv(without));
    expect((await telltale(["assign", run, file])).err).toContain(
      'without.csv: must have the columns that the model was fitted to, "a=b" is missing; it has a, x, x[3]=y',
    );
    expect((await telltale(["stream", run, file, "--restart"])).err).toContain(
      "the first line must name the columns that the run was fitted to, a=b, x[3] are missing",
    );
  });

  it("are themselves in SQL, as DuckDB computes it, beside elements, categories, booleans and dates", async () => {
    const out = join(folder, "odd.sql");
    const { code, err } = await telltale(["export", run, "--target", "sql", "--out", out]);
    expect(code, err).toBe(0);
    const list = /infera_predict_multi_list\('odd',\n(.*?)\n {2}\) AS distances/s.exec(
      await readFile(out, "utf8"),
    )![1]!;
    const found = await queried(`select ${list} from '${source}'`);
    expect(found).toEqual(rows.map((row) => numbersOf(row).map(Math.fround)));
  });
});
