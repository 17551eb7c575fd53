/** DuckDB reaches the files that are named, and nothing else, whatever the query. */

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openLabels } from "../../src/files/openLabels.ts";
import { openRows } from "../../src/files/openRows.ts";
import { Database, quotePath, quoteText } from "../../src/files/tables/database.ts";
import { queried } from "../support/queried.ts";

let folder: string;
let rows: string;
let secret: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-database-"));
  rows = join(folder, "rows.csv");
  secret = join(folder, "secret.csv");
  await writeFile(rows, "a,b\n1,2\n3,5\n");
  await writeFile(secret, "password\nhunter2\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a database for named files", () => {
  let database: Database;
  beforeEach(async () => {
    database = await Database.open({ memory: 64, files: [rows] }, (error) => error);
    return () => database.close();
  });

  it("reads them", async () => {
    expect(await database.rows(`select sum(b) from read_csv(${quotePath(rows)})`)).toEqual([[7n]]);
  });

  it.each([
    ["all cores", "", availableParallelism()],
    ["as many threads as whoever runs several of us has given each", "3", 3],
  ])("with %s", async (_, said, threads) => {
    vi.stubEnv("TELLTALE_THREADS", said);
    onTestFinished(() => void vi.unstubAllEnvs());
    const opened = await Database.open({ memory: 64, files: [rows] }, (error) => error);
    onTestFinished(() => opened.close());
    expect(await opened.rows("select current_setting('threads')")).toEqual([[BigInt(threads)]]);
  });

  it.each([
    ["another file", () => `select * from read_csv('${secret}')`],
    ["another file by its name", () => `select * from '${secret}'`],
    ["another file as text", () => `select * from read_text('${secret}')`],
    ["what is in a folder", () => `select * from glob('${folder}/*')`],
    ["another file to write to", () => `copy (select 1) to '${folder}/stolen.csv'`],
    ["a database beside it", () => `attach '${folder}/other.db'`],
    ["an extension", () => "load httpfs"],
    ["an extension to install", () => "install httpfs"],
    ["a setting", () => "set enable_external_access = true"],
    ["more memory", () => "set memory_limit = '100GB'"],
    ["more files", () => `set allowed_directories = ['${folder}']`],
    ["a secret that is kept", () => "create persistent secret s (type s3, key_id 'a', secret 'b')"],
    ["a folder to export to", () => `export database '${folder}/exported'`],
  ])("does not reach %s", async (_, sql) => {
    const before = await readdir(folder);
    await expect(database.rows(sql())).rejects.toThrow();
    expect(await readdir(folder)).toEqual(before);
  });

  it("puts what does not fit into memory into its own temporary folder", async () => {
    const sorted = "select max(s) from (select md5(i::varchar) s from range(2000000) t(i) order by s offset 1)";
    expect((await database.rows(sorted))[0]![0]).toMatch(/^f{4}/);
  });
});

it("a file is found under whatever name it has, and no other that its name would match", async () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "*", "?", "[", "]", "'", '"', " ", "{", "}", "é", "%", "$", "!", "-") })
    .filter((text) => text.length > 0 && text.length < 20);
  await fc.assert(
    fc.asyncProperty(name, name, async (inFolder, inFile) => {
      const place = await mkdtemp(join(folder, "named-"));
      await mkdir(join(place, inFolder));
      const path = join(place, inFolder, `${inFile}.csv`);
      await writeFile(path, "a,b\n1,2\n3,5\n");
      const { data } = await openRows(path);
      expect([...data.tensor!.data]).toEqual([1, 2, 3, 5]);
      const labels = await openLabels(path, "b");
      expect(labels.names).toEqual(["2", "5"]);
    }),
    { numRuns: 12 },
  );
});

it("a file that is a link is read through it", async () => {
  const link = join(folder, "link.csv");
  await symlink(rows, link);
  expect((await openRows(link)).data.count).toBe(2);
});

describe("a query of a person's own", () => {
  const numbers = async (sql: string): Promise<number[]> => [...(await openRows("q", { sql })).data.tensor!.data];

  it.each([
    ["a file by its name", () => `select * from '${rows}'`],
    ["a file by a function, in whatever case", () => `SELECT * FROM Read_CSV('${rows}')`],
    ["a list of files", () => `select * from read_csv(['${rows}'])`],
    ["a pattern", () => `select * from '${folder}/row*.csv'`],
    ["a file in a part of it", () => `with t as (from '${rows}') select * from t where a in (select a from t)`],
  ])("reads %s", async (_, sql) => {
    expect(await numbers(sql())).toEqual([1, 2, 3, 5]);
  });

  it("reads the files of a pattern in folders", async () => {
    for (const year of [1, 2]) {
      await mkdir(join(folder, `parts/year=${year}`), { recursive: true });
      await queried(`copy (select ${year}0 as a) to '${folder}/parts/year=${year}/p.parquet'`);
    }
    expect(await numbers(`select a from '${folder}/parts/*/*.parquet' order by a`)).toEqual([10, 20]);
    expect(await numbers(`select a from read_parquet('${folder}/parts') order by a`)).toEqual([10, 20]);
  });

  const refused = "sql must be one query that only reads";
  it.each([
    ["enable_logging(storage = 'file', storage_config = {'path': 'F/log'})"],
    ["ENABLE_LOGGING()"],
    ['"enable_logging"()'],
    ["main.enable_logging()"],
    ["system.main.enable_logging()"],
    ["disable_logging()"],
    ["enable_profiling()"],
    ["truncate_duckdb_logs()"],
    ["checkpoint()"],
    ["force_checkpoint()"],
    ["query('select 1')"],
    ["query_table('x')"],
    ["json_execute_serialized_sql('x')"],
    ["arrow_scan(1, 2, 3)"],
    ["arrow_scan_dumb(1, 2, 3)"],
    ["seq_scan()"],
    ["duckdb_secrets()"],
    ["which_secret('a', 's3')"],
    ["duckdb_settings()"],
    ["pragma_user_agent()"],
    ["read_duckdb('F/x.db')"],
    ["enable_peg_parser()"],
    ["sql_auto_complete('s')"],
    ["test_vector_types(1)"],
  ])("is refused with %s after from", async (called) => {
    const before = await readdir(folder);
    await expect(openRows("q", { sql: `select * from ${called.replace("F", folder)}` })).rejects.toThrow(refused);
    expect(await readdir(folder)).toEqual(before);
  });

  it.each([
    ["select 1 a where exists (select * from enable_logging())"],
    ["with t as (select * from enable_logging()) select 1 a from t"],
    ["select (select count(*) from enable_logging()) a"],
    ["select 1 a union all (select 2 from enable_logging())"],
    ["select * from range(3) r, lateral (select * from enable_logging())"],
    ["summarize select * from enable_logging()"],
    ["select a from range(3) t(a) order by (select count(*) from enable_logging())"],
    ["select [x for x in range(3) if (select count(*) from enable_logging()) = 0] a"],
    ["with recursive t(a) as (select 1 union all select 2 from t, enable_logging()) select * from t"],
  ])("is refused wherever it stands: %s", async (sql) => {
    await expect(openRows("q", { sql })).rejects.toThrow(refused);
  });

  it.each([
    ["select write_log('x') a"],
    ["select 1 a where write_log('x') is null"],
    ["select nextval('s') a"],
    ["select getenv('HOME') a"],
    ["select __internal_decompress_string(1::hugeint) a"],
    ["copy (select 1) to 'x.csv'"],
    ["attach 'x.db'"],
    ["install httpfs"],
    ["load httpfs"],
    ["pragma enable_profiling"],
    ["set threads = 4"],
    ["create table t as select 1"],
    ["create macro m() as table select 1"],
    ["export database 'x'"],
    ["import database 'x'"],
    ["call enable_logging()"],
    ["explain analyze select 1"],
    ["select 1; select 2"],
    ["prepare p as select 1"],
    [""],
  ])("is refused: %s", async (sql) => {
    await expect(openRows("q", { sql })).rejects.toThrow(refused);
  });

  it("reads no file that it does not name", async () => {
    await expect(openRows("q", { sql: `select * from read_text('${secret.slice(0, -4)}' || '.csv')` })).rejects.toThrow(
      /only files that are named are read/,
    );
    expect(await readFile(secret, "utf8")).toContain("hunter2");
  });

  it("may hold any text, which is no file", async () => {
    const sql = `select 1 a, ${quoteText("it's *")} as t where '' = '' union all select 2, '/'`;
    expect((await openRows("q", { sql, ignore: ["t"] })).data.count).toBe(2);
  });
});
