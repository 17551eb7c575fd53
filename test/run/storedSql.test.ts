/** A run folder never executes: the query that it stores is shown, and run only by whoever says so. */

import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRunOn } from "../../src/run/folder/openRun.ts";
import { evaluateRun } from "../../src/run/use/evaluateRun.ts";
import { explainFile } from "../../src/run/use/explainFile.ts";
import { cpu } from "../../src/runtime/native.ts";
import { telltale } from "../cli/inProcess.ts";

const command = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-sql-"));
  const rows = Array.from({ length: 40 }, (_, i) => `${i % 2 ? 9 : 1}.${i},${i % 2 ? 5 : 2}.${i},${i % 2}`);
  await writeFile(join(folder, "rows.csv"), `a,b,label\n${rows.join("\n")}\n`);
  path = join(folder, "run");
  const query = `select * from '${join(folder, "rows.csv")}'`;
  const words = ["--sql", query, "--method", "kmeans", "-k", "2", "--no-map", "--no-report", "--out", path, "--quiet"];
  // The built command: training runs in a worker, which needs it.
  execFileSync(process.execPath, [command, "fit", ...words], { stdio: "ignore" });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const refused = /not run unless you say --run-stored-sql \(runStoredSql: true\): select \* from/;

it("is refused with the query in words, by everything that would run it", async () => {
  const run = await openRunOn([cpu])(path);
  await expect(run.rows()).rejects.toThrow(refused);
  await expect(explainFile(run, { row: 0 })).rejects.toThrow(refused);
  await expect(evaluateRun(run)).rejects.toThrow(refused);
  // Runs of other rows are compared by asking for the rows of the first; one that was stopped asks for its own.
  const other = await copied("other", (run) => ({ ...run, source: { ...run.source, fingerprint: "0".repeat(64) } }));
  const stopped = await copied("stopped", ({ result: _, ...run }) => ({ ...run, status: "training" }));
  for (const command of [
    ["explain", path, "--row", "0"],
    ["eval", path],
    ["compare", path, other],
    ["compare", other, path],
    ["fit", "--resume", stopped],
  ]) {
    const { code, err } = await telltale(...command);
    expect([command[0], code]).toEqual([command[0], 1]);
    expect(err).toMatch(refused);
  }
  // An edit that needs the rows waits for them, and says why.
  expect(await telltale("curate", other, "split", "0")).toMatchObject({ code: 0, out: expect.stringMatching(refused) });
});

interface Described {
  readonly source: object;
  readonly result?: object;
}

/** A copy of the run in which run.json says something else. */
async function copied(name: string, changed: (run: Described) => object): Promise<string> {
  const place = join(folder, name);
  await cp(path, place, { recursive: true });
  const description = JSON.parse(await readFile(join(path, "run.json"), "utf8"));
  await writeFile(join(place, "run.json"), JSON.stringify(changed(description)));
  return place;
}

it("nor does sweep collect run it in a folder of sweeps, unless somebody says so and its job has the same query", async () => {
  const { source } = JSON.parse(await readFile(join(path, "run.json"), "utf8"));
  const job = { name: "one", source: "sql", rows: { sql: source.options.sql }, method: "kmeans", clusters: 2, seed: 1 };
  const more = { profile: "practical", options: {}, threads: 1, map: false, report: false };
  const out = join(folder, "stranger");
  await mkdir(join(out, "runs"), { recursive: true });
  await cp(path, join(out, "runs", "one"), { recursive: true });
  await writeFile(join(out, "jobs.jsonl"), JSON.stringify({ ...job, ...more }));
  expect((await telltale("sweep", "collect", out)).err).toMatch(refused);
  await expect(readFile(join(out, "consensus.csv"))).rejects.toThrow("ENOENT");
  expect(await telltale("sweep", "collect", out, "--run-stored-sql")).toMatchObject({ code: 0 });
  expect(await readFile(join(out, "consensus.csv"), "utf8")).toMatch(/^row,cluster,share\n/);
  await writeFile(join(out, "jobs.jsonl"), JSON.stringify({ ...job, ...more, rows: { sql: "select 1 as a" } }));
  const other = await telltale("sweep", "collect", out, "--run-stored-sql");
  expect(other.err).toMatch(/a query or a database that its job does not name/);
});

it("a tampered folder's query is not run either, whatever it is", async () => {
  const description = JSON.parse(await readFile(join(path, "run.json"), "utf8"));
  const target = join(folder, "written.log");
  const sql = `select * from enable_logging(storage = 'file', storage_config = {'path': '${target}'})`;
  const tampered = { ...description, source: { ...description.source, options: { sql } } };
  await writeFile(join(path, "run.json"), JSON.stringify(tampered));
  try {
    await expect((await openRunOn([cpu])(path)).rows()).rejects.toThrow("is not run unless you say");
    await expect(readFile(target)).rejects.toThrow("ENOENT");
  } finally {
    await writeFile(join(path, "run.json"), JSON.stringify(description));
  }
});

it("neither is a database asked that a folder names", async () => {
  const description = JSON.parse(await readFile(join(path, "run.json"), "utf8"));
  for (const place of [{ name: "postgres://somewhere/db" }, { name: "rows", path: "postgresql://somewhere/db" }]) {
    const tampered = { ...description, source: { ...description.source, ...place, options: {} } };
    await writeFile(join(path, "run.json"), JSON.stringify(tampered));
    try {
      await expect((await openRunOn([cpu])(path)).rows()).rejects.toThrow(
        /a database that is not asked again unless you say --run-stored-sql \(runStoredSql: true\): postgres/,
      );
    } finally {
      await writeFile(join(path, "run.json"), JSON.stringify(description));
    }
  }
});

it("is run for whoever says so, and rows of another file need no saying", async () => {
  const run = await openRunOn([cpu])(path);
  expect((await run.rows(undefined, { runStoredSql: true })).data.count).toBe(40);
  expect((await run.rows(join(folder, "rows.csv"))).data.count).toBe(40);
  expect((await evaluateRun(run, { runStoredSql: true })).acc).toBe(1);
  expect((await telltale("explain", path, "--row", "0", "--run-stored-sql")).code).toBe(0);
});
