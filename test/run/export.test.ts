import { spawnSync } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Feature } from "../../src/data/feature.ts";
import { describeOnnx } from "../../src/onnx/read.ts";
import { type ExportTarget, exportRun } from "../../src/run/export/exportRun.ts";
import { statementsFor } from "../../src/run/export/sql/index.ts";
import { save } from "../../src/run/folder/saveModel.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder, write } from "../files/folder.ts";
import { queried } from "../support/queried.ts";
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
      "statements.spark.py",
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
    // Where there is a Python, it can read the function.
    const python = spawnSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", files[3]!]);
    if (!python.error) expect(String(python.stderr)).toBe("");
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

describe("statements", () => {
  const facts = {
    name: "digits",
    files: { model: "m.onnx", distances: "m.distances.onnx", spark: "m.spark.py" },
    input: "x",
    clusterNames: ["it's", "b"],
    fills: true,
    encoded: [],
  };

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
    expect(text).toContain("SET TIME ZONE 'UTC' first");
    const older: Feature[] = [{ kind: "number", column: "day" }];
    expect(statementsFor({ ...facts, row: [1], features: older, encoded: ["day"] })).toContain(
      "Have numbers in day: 0 and 1 for a boolean, days since 1970 for a date.",
    );
  });

  it("say so where an engine takes no pictures", () => {
    const text = statementsFor({ ...facts, row: [1, 28, 28], features: [] });
    expect(text.match(/Takes rows of numbers and no pictures \[1,28,28\]/g)!.length).toBe(2);
    expect(text).not.toContain("CREATE OR REPLACE MODEL");
    expect(text).not.toContain("infera_load_model");
    expect(text).toContain("digits(pixels)");
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
