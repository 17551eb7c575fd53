/** Columns, ids, categories, classes and folders whose names try to be code: wherever they go, they stay names. */

import { spawnSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { telltale } from "../cli/process.ts";
import { folder, parquet, write } from "../files/folder.ts";
import { queried } from "../support/queried.ts";

const columns = [
  ...[
    "a=b",
    "x[3]",
    "embedding[0]",
    'say "hi"',
    "it's",
    "back\\slash\\",
    "a.b",
    "{}",
    `$\{HOME}`,
    "%s",
    ":param",
    "$1",
  ],
  ...["?", "a;b", "--x", "/*", "*/", "price", "pri\u0441e", "Price", "`tick`", "=1+1", "@x", "&amp", "NULL", "select"],
  ...["</script><img src=x onerror=alert(1)>", "| cell |", "[link](https://x.y)", "y".repeat(300)],
  ...[
    "\n; DROP TABLE x; --",
    "line\n/\nDROP TABLE x;\n--",
    "\u001b[31mred\u001b]0;title\u0007",
    "\u009b2J",
    "a\u202eb",
  ],
  ...["a\u2028b", "z\u200bero", "ph=7 dev", "' || chr(0) || '", "\\' OR 1=1 --"],
];
/** Not learned from, and still describes the clusters. */
const beside = "be\u001b[31mside | <b>";
const cities = ["R'ome\n--", 'L"Aquila', "back\\", "\u001b[2J", "=cmd|' /C calc'!A0", "-5", `$\{x}`, "NULL "];
// No column is another one's: what repeats a column is not learned from.
const values = Array.from({ length: 32 }, (_, i) => columns.map((_, c) => (i % 2) * 10 + ((i * (c + 3)) % 53) / 8));
const ids = values.map((_, i) => [`=cmd|' /C calc'!A${i}`, `-${i}`, `@SUM(A${i})`, `\u001b[31m${i}`][i % 4]!);
const quoted = (cell: unknown): string => `"${String(cell).replaceAll('"', '""')}"`;
const csv = [
  // The last but one is not learned from, and describes clusters.
  ["id", ...columns, "city\n--", beside, "class"],
  ...values.map((row, i) => [ids[i], ...row, cities[i % cities.length], cities[i % 3], `</td>\u001b[31m${i % 2}`]),
]
  .map((row) => `${row.map(quoted).join(",")}\n`)
  .join("");

/** As a person would type it: below a folder with spaces and quotes. */
const place = join(folder, "it's \u001b[31m my  `runs` $(x)");
const name = '-ru\'n "1"';
const run = join(place, name);
let source: string;
const said: string[] = [];

async function ok(words: readonly string[], settings: Parameters<typeof telltale>[1] = {}): Promise<string> {
  const { code, out, err } = await telltale(words, { cwd: place, ...settings });
  expect(code, err).toBe(0);
  said.push(out, err);
  return out;
}

beforeAll(async () => {
  await mkdir(place, { recursive: true });
  source = await write("hostile.csv", csv);
  await ok([
    ...["fit", source, "-k", "2", "--method", "kmeans", "--epochs", "2", "--restarts", "1", "--id", "id"],
    ...["--label", "class", "--encode", "city\n--", "--ignore", beside, "--out", `./${name}`],
  ]);
}, 120_000);

const commanding = /(?!\n)[\p{Cc}\u2028\u2029\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe("names that try to be code", () => {
  it("command no terminal, whatever a command prints for people", async () => {
    const here = `./${name}`;
    expect(await ok(["explain", here, "--row", "1", "--parts", "60"])).toContain("columns not used to cluster");
    await ok(["explain", here, "--row", "0", "--parts", "60"]);
    await ok(["eval", here]);
    await ok(["compare", here, here]);
    await ok(["report", here]);
    await ok(["assign", here, source, "--out", "assigned.csv"]);
    await ok(["export", here, "--target", "sql", "--out", "printed.sql"]);
    await ok(["export", here, "--target", "csv"]);
    for (const words of [
      ["assign", here, `${source}\u001b[31m`],
      ["fit", source, "--columns", "\u001b[31mx"],
    ]) {
      const { code, err } = await telltale(words, { cwd: place });
      expect(code).not.toBe(0);
      expect(err.split("\n").length).toBe(2);
      said.push(err);
    }
    for (const text of said) expect(text).not.toMatch(commanding);
  }, 120_000);

  it("are what they are in JSON, which commands no terminal either", async () => {
    const out = await ok(["explain", `./${name}`, "--row", "1", "--json"]);
    expect(out).not.toMatch(commanding);
    const names = JSON.parse(out).why.input.features.map((feature: { name: string }) => feature.name);
    // DuckDB takes names that differ in case only for one: the second is called otherwise.
    for (const column of columns) expect(names).toContain(column === "Price" ? "Price_2" : column);
  });

  it("are written as they are into CSV and JSON lines that programs read", async () => {
    const lines = await ok(["assign", `./${name}`, source, "--format", "jsonl"]);
    said.length = 0;
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(ids);
    const table = await write("plain.csv", await ok(["assign", `./${name}`, source]));
    said.length = 0;
    expect(await queried(`select id from read_csv('${table}', all_varchar = true)`)).toEqual(ids.map((id) => [id]));
  });

  it("are guarded for spreadsheets where someone asks, and numbers stay numbers", async () => {
    const guarded = ids.map((id) => [/^[=@]/.test(id) ? `'${id}` : id]);
    const table = await write("guarded.csv", await ok(["assign", `./${name}`, source, "--guard-formulas"]));
    said.length = 0;
    expect(await queried(`select id from read_csv('${table}', all_varchar = true)`)).toEqual(guarded);
    const exported = join(folder, "exported.csv");
    await ok(["export", `./${name}`, "--target", "csv", "--guard-formulas", "--out", exported]);
    expect(await queried(`select id from read_csv('${exported}', all_varchar = true)`)).toEqual(guarded);
    const { code, err } = await telltale(["assign", run, source, "--format", "jsonl", "--guard-formulas"]);
    expect([code, err]).toEqual([2, "telltale assign: --guard-formulas is for csv, got jsonl; leave it out\n"]);
    // People open this one; nothing reads it.
    const exemplars = await readFile(join(run, "exemplars/exemplars.csv"), "utf8");
    expect(exemplars).toContain(",'=1+1,'@x,");
  });

  it("are text in README.md: its lines are ours, and its commands can be copied", async () => {
    const card = await readFile(join(run, "README.md"), "utf8");
    expect(card).not.toMatch(commanding);
    expect(card).not.toMatch(/^(; DROP|DROP|\/$)/m);
    const command = /^telltale assign (.*) new\.csv/m.exec(card)![1]!;
    expect(shellWords(command)).toEqual([`./${name}`]);
  });

  it("are one word in the command that is printed", async () => {
    const out = await ok([
      ...["fit", source, "-k", "2", "--method", "kmeans", "--restarts", "1", "--no-map", "--no-report"],
      ...["--columns", "price", "--out", join(place, "two  spaces")],
    ]);
    const used = /^use it +telltale assign (.*) FILE$/m.exec(out)![1]!;
    expect(shellWords(used)).toEqual([join(place, "two  spaces")]);
  });

  it("are columns in SQL, as DuckDB computes it, and its joined rows are ours", async () => {
    const out = join(folder, "hostile 'x\".sql");
    await ok(["export", `./${name}`, "--target", "sql", "--out", out]);
    const sql = await readFile(out, "utf8");
    const list = /infera_predict_multi_list\('\w+',\n(.*?)\n {2}\) AS distances/s.exec(sql)![1]!;
    const rows = await parquet(
      "hostile.parquet",
      `select * rename ("Price_1" as "Price_2") from read_csv('${source}', header = true, delim = ',', quote = '"', escape = '"', all_varchar = false)`,
    );
    const found = await queried(`select ${list} from '${rows}'`);
    const sorted = [...cities].sort();
    expect(found.map((row) => row.slice(0, columns.length).map(Number))).toEqual(values);
    expect(found.map((row) => row.slice(columns.length).map(Number))).toEqual(
      values.map((_, i) => sorted.map((city) => Number(cities[i % cities.length] === city))),
    );
    const assigned = (await ok(["assign", `./${name}`, source, "--format", "jsonl"])).trimEnd().split("\n");
    said.length = 0;
    const statement = /-- The rows it was fitted to, with their clusters\.\n(.*?);\n/s.exec(sql)![1]!;
    const joined = await queried(`select id, cluster from (${statement})`);
    expect(new Map(joined.map(([id, cluster]) => [id, Number(cluster)]))).toEqual(
      new Map(assigned.map((line) => JSON.parse(line)).map(({ id, cluster }) => [id, cluster])),
    );
  }, 120_000);

  it("end no statement and no comment in any dialect, and Python reads the file", async () => {
    const out = join(folder, "dialects '\".sql");
    await ok(["export", `./${name}`, "--target", "sql", "--out", out]);
    const sql = await readFile(out, "utf8");
    const sections = new Map(
      sql
        .split(/^-- ={8} /m)
        .slice(1)
        .map((text) => [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n"))]),
    );
    const rules = {
      BigQuery: { names: "`", escapes: true },
      "Oracle Database 23ai": { names: '"', escapes: false },
      DuckDB: { names: '"', escapes: false },
    };
    for (const [engine, rule] of Object.entries(rules)) {
      const bare = withoutLiterals(sections.get(engine)!, rule);
      expect(bare, engine).not.toMatch(/drop|onerror|chr\(0\)|=1\+1|@x|:param|\$1|\?|%s|\/\*/i);
      // What is said about names that an engine cannot have.
      if (engine !== "DuckDB")
        expect(sections.get(engine)).toMatch(/^-- Careful: a column cannot be called ".*" here/m);
    }
    const program = join(folder, "program '\"\\.py");
    await ok(["export", `./${name}`, "--target", "spark", "--out", program]);
    const python = spawnSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", program]);
    if (!python.error) expect(String(python.stderr)).toBe("");
  });
});

/** What a shell makes of them. */
function shellWords(text: string): string[] {
  const { stdout, stderr } = spawnSync("sh", ["-c", `printf '%s\\0' ${text}`], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\0").slice(0, -1);
}

/** Statements without their texts, names and comments, as an engine reads them. */
function withoutLiterals(sql: string, { names, escapes }: { names: string; escapes: boolean }): string {
  let bare = "";
  for (let at = 0; at < sql.length; at++) {
    const here = sql[at]!;
    if (sql.startsWith("--", at)) {
      at = sql.indexOf("\n", at);
      if (at < 0) break;
    } else if (here === "'" || here === names) {
      // Spark has no escapes in names; in BigQuery a name has those of a text.
      const hasEscapes = escapes && (here === "'" || sql.includes("ML.PREDICT"));
      for (at++; at < sql.length; at++) {
        if (hasEscapes && sql[at] === "\\") at++;
        else if (sql[at] === here && sql[at + 1] === here && !hasEscapes) at++;
        else if (sql[at] === here) break;
      }
      expect(at, "a literal that never ends").toBeLessThan(sql.length);
    } else {
      bare += here;
    }
  }
  return bare;
}
