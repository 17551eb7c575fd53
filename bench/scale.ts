/**
 * Does it stay small and quick on files that are larger than memory should hold?
 *
 * DuckDB makes a Parquet file of ROWS × 32 columns. `telltale fit` learns it as people would, with nothing said but the
 * number of clusters, and once more with a small network, an epoch each; its peak memory is read while it runs. A model
 * with the standard network then assigns parts of the file, in turns with ONNX Runtime alone on the same model.onnx,
 * fed from memory: rows per second, medians of the turns; and a short and a long part, cost per row. The same rows as
 * .npy.gz, the least friendly format (it has no middle), are then fitted too.
 *
 * usage: npm run -s bench -- scale [--rows 20000000] [--turns 3] [--part 500000] [--out bench/results/scale.json]
 * [--keep FOLDER] [--only fit|network|assign|array]
 */

import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { Random } from "../src/doors/engine.ts";
import { devices, findDevice, openRows } from "../src/doors/inside.ts";
import { npyHeader } from "../src/formats/npy.ts";
import { commitOf } from "./commit.ts";
import { medianOf } from "./records.ts";

const columns = 32;
const command = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));

export async function scale(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      rows: { type: "string", default: "20000000" },
      turns: { type: "string", default: "3" },
      part: { type: "string", default: "500000" },
      out: { type: "string", default: "bench/results/scale.json" },
      keep: { type: "string" },
      only: { type: "string" },
    },
  });
  const [rows, turns, part] = [Number(options.rows), Number(options.turns), Number(options.part)];
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), "telltale-scale-")));
  await mkdir(folder, { recursive: true });
  try {
    const file = join(folder, "rows.parquet");
    if (!(await stat(file).catch(() => undefined))) await makeRows(file, rows);
    const wants = (what: string): boolean => options.only === undefined || options.only === what;
    const fit = wants("fit") ? await fitted(folder, file) : undefined;
    const network = wants("network") ? await fitted(folder, file, small) : undefined;
    const assign = wants("assign") ? await assigned(folder, file, part, turns) : undefined;
    const array = wants("array") ? await fitted(folder, await asArray(folder, file, rows), small) : undefined;
    // Each part may be measured by itself: the others stay as they were.
    const before = JSON.parse(await readFile(options.out, "utf8").catch(() => "{}"));
    const result = {
      ...before,
      rows,
      columns,
      ...(fit && { fit: { ...fit, commit: commitOf() } }),
      ...(network && { network: { ...network, commit: commitOf() } }),
      ...(assign && { assign: { ...assign, part, turns, commit: commitOf() } }),
      ...(array && { array: { ...array, format: "npy.gz", commit: commitOf() } }),
      command: `bench scale --rows ${rows} --part ${part} --turns ${turns}`,
    };
    await writeFile(options.out, `${JSON.stringify(result, null, 2)}\n`);
    console.log(JSON.stringify(result, null, 2));
  } finally {
    if (!options.keep) await rm(folder, { recursive: true, force: true });
  }
}

/** A network of its own, an epoch for the rows and one for the clusters. */
const small = ["--epochs", "1", "--restarts", "1", "--set", "hidden=64", "--set", "pretraining=1"];

/** The whole file, by the default. */
async function fitted(folder: string, file: string, set: readonly string[] = []) {
  console.error(`scale: fitting all of ${basename(file)} ${set.join(" ")}`);
  const { seconds, peak } = await telltale([
    "fit",
    file,
    "--clusters",
    "8",
    ...set,
    "--seed",
    "1",
    "--out",
    join(folder, "small"),
    "--force",
  ]);
  console.error(`scale: fit took ${seconds.toFixed(0)} s, ${peak} MB at most`);
  return { seconds: Math.round(seconds), peakMegabytes: peak };
}

/** Parts of the file with the papers' network, in turns with the runtime alone. */
async function assigned(folder: string, file: string, part: number, turns: number) {
  const [sample, short, long] = [20_000, part, 4 * part].map((n) => join(folder, `part-${n}.parquet`)) as [
    string,
    string,
    string,
  ];
  for (const [name, n] of [
    [sample, 20_000],
    [short, part],
    [long, 4 * part],
  ] as const)
    await takeRows(file, name, n);
  const standard = join(folder, "standard");
  // A table of 32 columns would get a smaller one by itself.
  const widths = ["--set", "hidden=500,500,2000", "--set", "pretraining=1"];
  const brief = ["--clusters", "8", "--epochs", "1", "--restarts", "1", ...widths, "--no-map"];
  await telltale(["fit", sample, ...brief, "--seed", "1", "--out", standard, "--force"]);
  const assign = (source: string) =>
    telltale(["assign", standard, source, "--format", "csv", "--out", join(folder, "assigned.csv"), "--force"]);
  const [bare, shorter, longer]: [number[], number[], number[]] = [[], [], []];
  let peak = 0;
  for (let turn = 0; turn < turns; turn++) {
    bare.push(await bareRate(join(standard, "model.onnx"), part));
    shorter.push(part / (await assign(short)).seconds);
    const four = await assign(long);
    longer.push((4 * part) / four.seconds);
    peak = Math.max(peak, four.peak);
    const said = [bare, shorter, longer].map((rates) => rates.at(-1)!.toFixed(0));
    console.error(`scale: bare ${said[0]}, assign ${said[1]} and ${said[2]} rows/s`);
  }
  return {
    bareRowsPerSecond: Math.round(medianOf(bare)),
    rowsPerSecond: Math.round(medianOf(longer)),
    shareOfBare: round(medianOf(longer.map((rate, i) => rate / bare[i]!))),
    costOfLongToShort: round(medianOf(longer.map((rate, i) => shorter[i]! / rate))),
    peakMegabytes: peak,
  };
}

/** Eight groups, a little apart in every column, with noise that DuckDB draws from row and column alone. */
async function makeRows(file: string, rows: number): Promise<void> {
  const noise = (c: number): string =>
    `(hash(i * ${columns} + ${c}) % 1000000 + hash(i * ${columns} + ${c} + 777777777) % 1000000) / 1000000.0 - 1`;
  const centers = Random.seeded(1).normals(8 * columns);
  const listed = (c: number): string =>
    `[${Array.from({ length: 8 }, (_, j) => centers[j * columns + c]!.toFixed(3))}]`;
  const cells = Array.from({ length: columns }, (_, c) => `(${listed(c)}[1 + i % 8] + ${noise(c)})::float as f${c}`);
  await inDatabase(`copy (select ${cells.join(", ")} from range(${rows}) t(i)) to '${file}' (format parquet)`);
}

/** The same numbers as NumPy would save them. */
async function asArray(folder: string, file: string, rows: number): Promise<string> {
  const array = join(folder, "rows.npy.gz");
  const bytes = async function* () {
    yield npyHeader("float32", [rows, columns]);
    const loaded = await openRows(file, { inMemory: 0 });
    for await (const { x } of loaded.data.inOrder(8192)) {
      yield new Uint8Array(x.data.buffer, x.data.byteOffset, x.data.byteLength);
    }
    await loaded.close();
  };
  await pipeline(Readable.from(bytes()), createGzip({ level: 1 }), createWriteStream(array));
  return array;
}

async function takeRows(from: string, to: string, rows: number): Promise<void> {
  await inDatabase(`copy (select * from '${from}' limit ${rows}) to '${to}' (format parquet)`);
}

async function inDatabase(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1000MB" });
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

/** Runs the command; its peak memory is what the kernel has counted when it is last seen alive. */
async function telltale(parameters: readonly string[]): Promise<{ seconds: number; peak: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [command, ...parameters, "--quiet"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peak = 0;
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 100);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`scale: telltale ${parameters.join(" ")} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, peak: Math.round(peak / 1024) };
}

/** Rows per second of ONNX Runtime alone, with the same batches from memory. */
async function bareRate(model: string, rows: number): Promise<number> {
  const { runtime, options } = await findDevice(devices, "cpu");
  const session = await runtime.InferenceSession.create(await readFile(model), options);
  const batch = 1024;
  const x = new runtime.Tensor("float32", Random.seeded(1).normals(batch * columns), [batch, columns]);
  await session.run({ x });
  const started = performance.now();
  for (let done = 0; done < rows; done += batch) await session.run({ x });
  const rate = rows / ((performance.now() - started) / 1000);
  await session.release();
  return rate;
}

function round(value: number): number {
  return Math.round(1000 * value) / 1000;
}
