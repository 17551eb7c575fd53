import { spawnSync } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Feature } from "../../src/data/feature.ts";
import { describeOnnx, readOnnx, writeOnnx } from "../../src/onnx/read.ts";
import { type ExportTarget, exportRun } from "../../src/run/export/exportRun.ts";
import { lakeProgram } from "../../src/run/export/lake/program.ts";
import { statementsFor } from "../../src/run/export/sql/index.ts";
import { modelName } from "../../src/run/export/sql/modelName.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder, write } from "../files/folder.ts";
import { queried } from "../support/queried.ts";
import { name } from "../text/names.ts";
import { csvRun, openRun, rows } from "./csv.ts";

const run = await csvRun("exported", { method: "tell" });
const clusters = [...(await run.labels())];
const { runtime } = await cpu.find();
const to = (name: string): string => join(folder, "out", name);

async function outputs(file: string): Promise<Record<string, number[]>> {
  const session = await runtime.InferenceSession.create(await readFile(file));
  const results = await session.run({ x: new runtime.Tensor("float32", rows.data, rows.shape) });
  return Object.fromEntries(
    Object.entries(results).map(([name, { data }]) => [name, Array.from(data as Float32Array, Number)]),
  );
}

describe("a run is exported", () => {
  it("as ONNX, with the decoder beside it", async () => {
    const { files } = await exportRun(run, { target: "onnx", out: to("digits.onnx") });
    expect(files).toEqual([to("digits.onnx"), to("digits.decoder.onnx")]);
    expect((await outputs(files[0]!)).label).toEqual(clusters);
    expect(describeOnnx(await readFile(files[1]!)).inputs[0]!.name).toBe("z");
  });

  it("as ONNX that is made anew where the centers have moved since", async () => {
    const model = await run.model({ device: "cpu" });
    for (let i = 0; i < 10; i++) await model.partialFit(rows, { rate: 0.5 });
    const path = join(folder, "followed");
    await save(model, path);
    // As a kill leaves it between two files: new weights, the old model.onnx.
    await write("followed/model.onnx", await run.folder.bytes("model.onnx"));
    const { files } = await exportRun(await openRun(path), { target: "onnx", out: to("followed.onnx") });
    const { distances } = await model.assign(rows);
    const found = (await outputs(files[0]!)).distances!;
    expect(found.every((value, i) => Math.abs(value - distances.data[i]!) < 1e-6)).toBe(true);
  });

  it("as weights", async () => {
    const { files } = await exportRun(run, { target: "safetensors", out: to("weights.safetensors") });
    expect(await readFile(files[0]!)).toEqual(await run.folder.bytes("weights.safetensors"));
  });

  it.each(["csv", "parquet"] as const)("as a table: %s", async (target) => {
    const { files } = await exportRun(run, { target, out: to(`table.${target}`) });
    const found = await queried(
      `select row, sku, cluster, cluster_name, confidence, projection_x, projection_y from '${files[0]}'`,
    );
    expect(found.map(([row]) => Number(row))).toEqual(clusters.map((_, i) => i));
    expect(found.map(([, , cluster]) => Number(cluster))).toEqual(clusters);
    expect(found[5]!.slice(-2)).toEqual([5, -5]);
  });

  it("as statements with the real names in them, and all files they name", async () => {
    const { files, text } = await exportRun(run, { target: "sql", out: to("statements.sql") });
    expect(files.map((file) => basename(file))).toEqual([
      "statements.sql",
      "statements.onnx",
      "statements.distances.onnx",
    ]);
    expect(await readFile(files[0]!, "utf8")).toBe(text);
    expect(text).toContain("CREATE OR REPLACE MODEL `DATASET.exported`");
    expect(text).toContain("OPTIONS (MODEL_TYPE = 'ONNX', MODEL_PATH = 'gs://BUCKET/statements.onnx')");
    expect(text).toContain('"clusteringDistanceOutput":"distances","input":{"x":["C0","C1","C2","C3"]}');
    expect(text).toContain('"größe" AS C3');
    // DuckDB's extension takes the first output only, and takes it for float32.
    const distances = await outputs(files[2]!);
    expect(Object.keys(distances)).toEqual(["distances"]);
    expect(distances.distances).toEqual((await outputs(files[1]!)).distances);
  });

  it("as statements of which those that need no extension run in DuckDB", async () => {
    const { text } = await exportRun(run, { target: "sql", out: to("running.sql") });
    const statement = /-- The rows it was fitted to.*\n([^;]+);/.exec(text!)![1]!;
    const found = await queried(`select sku, "class", cluster from (${statement}) order by sku[2:]::int`);
    expect(found.map(([, , cluster]) => Number(cluster))).toEqual(clusters);
    // What stands around the extension's functions is DuckDB's own, and finds the nearest.
    const nearest = /list_position\(distances, list_min\(distances\)\) - 1/.exec(text!)![0];
    expect(await queried(`select ${nearest} from (select [3.0, 1.0, 2.0] as distances)`)).toEqual([[1]]);
  });
});

const facts = {
  name: "digits",
  files: { model: "m.onnx", distances: "m.distances.onnx" },
  input: "x",
  clusterNames: ["it's", "b"],
  fills: true,
  encoded: [],
};

/**
 * What the programs for data lakes have in common, run by a Python that has pyarrow and onnxruntime, where there is
 * one.
 */
const canRun = spawnSync("python3", ["-c", "import duckdb, onnxruntime, pyarrow"]).status === 0;

describe("a program for a data lake", () => {
  it.each(["spark", "ray", "duckdb"] as const)("on %s lies beside its model, and is short", async (target) => {
    const { files, text } = await exportRun(run, { target, out: to(`lake.${target}.py`) });
    expect(files.map((file) => basename(file))).toEqual([`lake.${target}.py`, `lake.${target}.onnx`]);
    expect((await outputs(files[1]!)).label).toEqual(clusters);
    expect(text!.split("\n").length).toBeLessThan(60);
    expect(text).toContain(`.with_name("lake.${target}.onnx")`);
    expect(text).toContain("parts = np.array_split(x, len(x) // 1024 + 1)");
    const python = spawnSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", files[0]!]);
    if (!python.error) expect(String(python.stderr)).toBe("");
  });

  it("makes the numbers of a row of its columns, each in its way", () => {
    const features: Feature[] = [
      { kind: "number", column: 'a"b' },
      { kind: "category", column: "city", value: "L'Aquila" },
      { kind: "other", column: "city", except: ["L'Aquila"] },
      { kind: "ordered", column: "size", values: ["S", "M"] },
      { kind: "date", column: "day" },
      { kind: "cycle", column: "day", period: "week", part: "sin" },
      { kind: "element", column: "v", index: 2 },
    ];
    const text = lakeProgram("duckdb", { ...facts, row: [7], features });
    expect(text).toContain(String.raw`("a\"b", "number", None), ("city", "category", "L'Aquila")`);
    expect(text).toContain(`("city", "other", ["L'Aquila"])`);
    expect(text).toContain(`("day", "cycle", ("sin", 7))`);
    expect(text).toContain(`("v", "element", 2)`);
    expect(text).toContain("def days(column):");
    expect(lakeProgram("duckdb", { ...facts, row: [1, 28, 28], features: [] })).toContain(".reshape(-1, 1, 28, 28)");
  });

  it("takes any name of a column, a value or a cluster: Python reads each back as a text", async () => {
    const names = fc.sample(name, { numRuns: 200, seed: 1 }).map((each) => each.replaceAll(/\p{Surrogate}/gu, ""));
    const features: Feature[] = names.map((column) => ({ kind: "category", column, value: column }));
    const program = lakeProgram("spark", { ...facts, row: [names.length], features, clusterNames: names });
    const reading =
      "import ast, json, sys\ntree = ast.parse(sys.stdin.buffer.read())\n" +
      "found = {n.targets[0].id: n.value for n in tree.body if isinstance(n, ast.Assign) and hasattr(n.targets[0], 'id')}\n" +
      "print(json.dumps([[ast.literal_eval(found['NAMES'])], ast.literal_eval(found['FEATURES'])]))";
    const python = spawnSync("python3", ["-c", reading], { input: program, encoding: "utf8" });
    if (python.error) return;
    expect(python.stderr).toBe("");
    const [[read], made] = JSON.parse(python.stdout);
    expect(read).toEqual(names);
    expect(made).toEqual(names.map((each) => [each, "category", each]));
  });

  it.runIf(canRun)("assigns every row as telltale does", async () => {
    const { files } = await exportRun(run, { target: "duckdb", out: to("running.duckdb.py") });
    // More rows than the model has at a time.
    const times = Math.ceil(2500 / clusters.length);
    const again = Array.from({ length: times }, () => `select * from '${run.description.source.path}'`);
    await queried(`copy (${again.join(" union all ")}) to '${to("rows.parquet")}'`);
    const python = spawnSync("python3", [files[0]!, to("rows.parquet"), to("placed.parquet")]);
    expect(String(python.stderr)).toBe("");
    const found = await queried(`select cluster from '${to("placed.parquet")}'`);
    expect(found.map(([cluster]) => Number(cluster))).toEqual(again.flatMap(() => clusters));
  });
});

describe("statements", () => {
  it("take vectors apart, and texts that were encoded", () => {
    const features: Feature[] = [
      { kind: "element", column: "v", index: 0 },
      { kind: "category", column: "city", value: "L'Aquila" },
      { kind: "number", column: 'a"b' },
      { kind: "number", column: "a=b" },
      { kind: "number", column: "x[3]" },
    ];
    const text = statementsFor({ ...facts, row: [5], features });
    expect(text).toContain("COALESCE(CAST(`v`[OFFSET(0)] AS FLOAT64), CAST('NaN' AS FLOAT64))");
    expect(text).toContain(`CAST(CAST("v" AS DOUBLE[])[1] AS FLOAT)`);
    expect(text).toContain(`CASE WHEN "city" = 'L''Aquila' THEN 1 WHEN "city" IS NOT NULL THEN 0 END`);
    expect(text).toContain("CASE WHEN `city` = 'L\\'Aquila' THEN 1 WHEN `city` IS NOT NULL THEN 0 END");
    for (const [i, name] of [`"a""b"`, `"a=b"`, `"x[3]"`].entries()) {
      expect(text).toContain(`CAST(${name} AS FLOAT)`);
      expect(text).toContain(`${name} AS C${i + 2}`);
    }
    expect(text).toContain("CAST(`a=b` AS FLOAT64)");
    expect(text).toContain("['it\\'s', 'b'][OFFSET(label)]");
  });

  it("say what becomes of booleans and dates, and of what an older run does not tell apart", () => {
    const features: Feature[] = [
      { kind: "boolean", column: "open" },
      { kind: "date", column: "day" },
    ];
    const text = statementsFor({ ...facts, row: [2], features, encoded: ["open", "day"] });
    expect(text).toContain("Booleans become 0 and 1. Dates become days since 1970 in universal time.");
    expect(text).not.toContain("Have numbers");
    expect(text).toContain("UNIX_MICROS(CAST(`day` AS TIMESTAMP)) / 86400e6");
    expect(text).toContain(`CAST("day" AS DATE) - DATE '1970-01-01' AS C1`);
    const older: Feature[] = [{ kind: "number", column: "day" }];
    expect(statementsFor({ ...facts, row: [1], features: older, encoded: ["day"] })).toContain(
      "Have numbers in day: 0 and 1 for a boolean, days since 1970 for a date.",
    );
  });

  it("say which names a table cannot have as they are, and which are one to an engine", () => {
    const features: Feature[] = ["price", "PRICE", "x[3]", "a\nb"].map((column) => ({ kind: "number", column }));
    const text = statementsFor({ ...facts, row: [4], features });
    const said = text.match(/^-- Careful: .*$/gm)!;
    expect(said.filter((line) => line.includes('"price" and "PRICE" are one column here')).length).toBe(2);
    expect(said).toContain(
      '-- Careful: a column cannot be called "x[3]" here, since it has one of !"$()*,./;?@[\\]^`{}~; rename it, and below.',
    );
    expect(said.filter((line) => line.includes('called "a\\nb" here')).length).toBe(2);
    // Only in DuckDB, whose shell knows where a name ends, a line break stays.
    expect(text.split("\n").filter((line) => /^b"/.test(line)).length).toBe(1);
  });

  it("take any name of a column in any engine: nothing in it is code", () => {
    fc.assert(
      fc.property(name, name, (column, value) => {
        const features: Feature[] = [
          { kind: "number", column },
          { kind: "category", column: `${column}2`, value },
        ];
        const text = statementsFor({ ...facts, row: [2], features, encoded: [column], clusterNames: [value, column] });
        const sections = text.split(/^-- ={8} (?=BigQuery|Oracle|DuckDB)/m);
        expect(sections.length).toBe(4);
        const wanted = statementsFor({
          ...{ ...facts, row: [2], encoded: ["x"], clusterNames: ["y", "x"] },
          features: [
            { kind: "number", column: "x" },
            { kind: "category", column: "x2", value: "y" },
          ],
        }).split(/^-- ={8} (?=BigQuery|Oracle|DuckDB)/m);
        for (const [i, section] of sections.entries()) {
          expect(skeleton(section, i)).toBe(skeleton(wanted[i]!, i));
        }
      }),
    );
  });

  it("say so where an engine takes no pictures", () => {
    const text = statementsFor({ ...facts, row: [1, 28, 28], features: [] });
    expect(text.match(/Takes rows of numbers and no pictures \[1,28,28\]/g)!.length).toBe(2);
    expect(text).not.toContain("CREATE OR REPLACE MODEL");
    expect(text).not.toContain("infera_load_model");
  });
});

/** Statements without comments and white space, each text and name as a mark: what is left is code. */
function skeleton(sql: string, place: number): string {
  const [names, hasEscapes, namesHaveEscapes] = [
    ['"', false, false],
    ["`", true, true],
    ['"', false, false],
    ['"', false, false],
    ["`", true, false],
  ][place] as [string, boolean, boolean];
  const literal = (quote: string, escapes: boolean): string =>
    escapes ? `${quote}(?:\\\\.|[^${quote}\\\\])*${quote}` : `${quote}(?:${quote}${quote}|[^${quote}])*${quote}`;
  const token = new RegExp(`--[^\\n]*|${literal("'", hasEscapes)}|${literal(names, namesHaveEscapes)}|\\s+`, "gs");
  return sql
    .replaceAll(token, (found) => (found.startsWith("--") || /^\s/.test(found) ? "" : found[0] === "'" ? "T" : "N"))
    .replaceAll(/UNISTR\(T\)|\(T(\|\|chr\(0\)\|\|T)+\)/g, "T")
    .replaceAll("SETDEFINEOFF", "");
}

describe("a run that somebody sent", () => {
  it("has its query shown in a comment, and never where it would run", async () => {
    const { description } = run;
    const sql = "select * from x) r; drop table y; --\n; drop table z\u2028; copy x to 'y' \\";
    const path = join(folder, "exported", "run.json");
    const before = await readFile(path, "utf8");
    await write(
      "exported/run.json",
      JSON.stringify({ ...description, source: { ...description.source, options: { sql } } }),
    );
    try {
      const { text } = await exportRun(await openRun(join(folder, "exported")), {
        target: "sql",
        out: to("stored.sql"),
      });
      const bare = text!.replaceAll(/^--.*$/gm, "");
      expect(bare).not.toMatch(/drop|copy/);
      expect(bare).toContain("FROM ROWS r");
      expect(text).toMatch(/^-- {3}select \* from x\) r; drop table y; --$/m);
    } finally {
      await write("exported/run.json", before);
    }
  });

  it.each(["class", "select", "2 b's", "ü", "", "_".repeat(3), "array"])("may be called %s", (called) => {
    const found = modelName(called);
    expect(found).toMatch(/^[a-z]\w*$/i);
    expect(found).not.toBe(called);
    expect(modelName("sensors")).toBe("sensors");
    expect(modelName("x".repeat(500)).length).toBe(100);
  });

  it("may have files with quotes and backslashes in their names, and none that nobody sees", async () => {
    const out = to('it\'s "q" `t` \\ $(x) %s.sql');
    const { files, text } = await exportRun(run, { target: "sql", out });
    expect(files.length).toBe(3);
    expect(text).toContain("MODEL_PATH = 'gs://BUCKET/it\\'s \"q\" `t` \\\\ $(x) %s.onnx')");
    expect(text).toContain("infera_load_model('exported', 'it''s \"q\" `t` \\ $(x) %s.distances.onnx')");
    await expect(exportRun(run, { target: "sql", out: to("a\nb.sql") })).rejects.toThrow("no line breaks");
    await expect(exportRun(run, { target: "spark", out: to("a\nb.py") })).rejects.toThrow("no line breaks");
  });
});

describe("nothing is half written", () => {
  it("what is there stays, unless told to replace it", async () => {
    const there = await write("out/there.decoder.onnx", "mine");
    const options = { target: "onnx", out: to("there.onnx") } as const;
    await expect(exportRun(run, options)).rejects.toThrow(`${there}: is there already`);
    expect(await readFile(there, "utf8")).toBe("mine");
    expect(await readdir(to(""))).not.toContain("there.onnx");
    await exportRun(run, { ...options, force: true });
    expect((await readFile(there)).length).toBeGreaterThan(100);
    await expect(exportRun(run, { target: "csv", out: folder, force: true })).rejects.toThrow(
      "is a folder; name a file",
    );
    await expect(exportRun(run, { target: "csv", out: join(there, "x.csv") })).rejects.toThrow("cannot be written");
    expect((await readdir(to(""))).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  const targets = [
    ["onnx", "model.onnx"],
    ["onnx", "decoder.onnx"],
    ["sql", "model.onnx"],
  ] as const;
  it.each(targets)("%s is not handed on with a %s that no program opens, whatever its hash", async (target, name) => {
    const before = await run.folder.bytes(name);
    const model = readOnnx(before);
    model.opsetImport[0]!.version = 0n;
    await write(`exported/${name}`, writeOnnx(model));
    const out = to(`unopened-${target}-${name}.${target}`);
    try {
      await expect(exportRun(run, { target, out })).rejects.toThrow(
        `the run is damaged: ${name} cannot be read (the model does not run here: `,
      );
      expect((await readdir(to(""))).filter((file) => file.startsWith("unopened-"))).toEqual([]);
    } finally {
      await write(`exported/${name}`, before);
    }
  });

  it("what cannot be exported is said", async () => {
    await expect(exportRun(run, { target: "pickle" as ExportTarget, out: "x" })).rejects.toThrow(
      "must be one of onnx, safetensors, csv, parquet, sql",
    );
    const other = await csvRun("bare");
    await rm(other.folder.file("assignments.parquet"));
    await expect(exportRun(other, { target: "csv", out: to("bare.csv") })).rejects.toThrow("has no assignments");
    const { text } = await exportRun(other, { target: "sql", out: to("bare.sql") });
    expect(text).toContain("infera_load_model");
  });
});
