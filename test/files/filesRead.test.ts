import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { filesRead } from "../../src/files/filesRead.ts";

it.each([
  ["a file", "rows.csv", undefined, ["rows.csv"]],
  ["nothing on the disk, where rows flow past", "-", undefined, []],
  ["nothing on the disk, where a database has them", "postgres://127.0.0.1/rows", undefined, []],
  ["the patterns of a query", "rows", "select * from 'data/*.csv', \"more/?.csv\"", ["data/*.csv", "more/?.csv"]],
  ["no text of a query that is no file", "rows", "select * from t where kind = 'tree''s'", []],
])("rows come from %s", async (_, source, sql, expected) => {
  expect(await filesRead(source, sql)).toEqual(expected);
});

it("rows come from the files that a query names, in whatever quotes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-read-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = ["it's.csv", "b.parquet", "c.json"].map((name) => join(folder, name));
  for (const file of files) await writeFile(file, "x\n1\n");
  const [a, b, c] = files as [string, string, string];
  const sql = `select 'x' from '${a.replace("'", "''")}' join read_parquet("${b}") using (x) join $$${c}$$ using (x)`;
  expect(await filesRead("rows", sql)).toEqual(files);
});
