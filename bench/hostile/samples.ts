/** What inputs are made of: a whole file of each format, and a small run of each kind. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { zipSync } from "fflate";
import sharp from "sharp";
import { Random } from "../../src/doors/engine.ts";
import { encodeNpy } from "../../src/formats/npy.ts";
import { OnnxGraph } from "../../src/onnx/write.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";

export const rowCount = 60;
const columns = ["a", "b", "c", "d"];

/** The samples by what they are for. */
export const tables = ["rows.csv", "rows.tsv", "rows.jsonl", "rows.json", "rows.parquet"] as const;
export const arrays = ["rows.npy", "rows.npz", "rows.idx"] as const;
export const packed = ["rows.csv.gz", "rows.jsonl.gz", "rows.npy.gz", "rows.idx.gz"] as const;
/** Those that become a file on the side first, and databases. */
export const doors = ["rows.xlsx", "rows.duckdb", "columns.arrow", "columns.feather", "packed.feather"] as const;
export const pictures = ["1.png", "2.jpg", "3.gif", "4.webp", "5.tiff", "6.avif"] as const;
export const labels = [
  ...["labels.txt", "labels.csv", "labels.jsonl", "labels.parquet", "labels.npy", "labels.idx"],
  ...["labels.txt.gz", "labels.npy.gz", "labels.csv.gz"],
] as const;
/**
 * A table's run, one of images, one behind an encoder, one that was streamed to, one that is not at its end,
 * one whose clusters somebody has changed, one that was taught by labels on rows with gaps, one whose step can be
 * taken elsewhere.
 */
export const runs = [
  ...["run", "run-images", "run-encoder", "run-streamed", "run-stopped", "run-curated", "run-taught", "run-stepped"],
] as const;

/** Makes all samples in a folder, with the command that is tested. */
export async function makeSamples(folder: string, command: string): Promise<void> {
  await mkdir(join(folder, "images"), { recursive: true });
  const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);
  const values = rowsOf(Random.seeded(11));
  const truth = Array.from({ length: rowCount }, (_, i) => i % 3);
  const rows = tensor("float32", [rowCount, columns.length], values);
  const cells = (i: number): number[] => Array.from(values.subarray(4 * i, 4 * i + 4));
  const lines = (separator: string): string =>
    `${[["id", ...columns], ...truth.map((_, i) => [`p${i}`, ...cells(i)])].map((line) => line.join(separator)).join("\n")}\n`;
  const objects = truth.map((_, i) => ({
    id: `p${i}`,
    ...Object.fromEntries(columns.map((name, c) => [name, cells(i)[c]])),
  }));
  const named: Record<string, string | Uint8Array> = {
    "rows.csv": lines(","),
    "rows.tsv": lines("\t"),
    // Each fifth row lacks a number, and is left out.
    "gaps.csv": lines(",").replaceAll(/^(p\d*[07],[^,]*),[^,]*/gm, "$1,"),
    "rows.jsonl": objects.map((object) => `${JSON.stringify(object)}\n`).join(""),
    "rows.json": JSON.stringify(objects),
    "rows.xlsx": workbook([["id", ...columns], ...truth.map((_, i) => [`p${i}`, ...cells(i)])]),
    "rows.npy": encodeNpy(rows),
    "rows.npz": zipSync({ "x.npy": encodeNpy(rows) }, { mtime: new Date(2020, 1, 1) }),
    "rows.idx": idx(0x0d, [rowCount, 4], values),
    "labels.txt": truth.map((label) => `${label}\n`).join(""),
    "labels.csv": `label\n${truth.map((label) => `${label}\n`).join("")}`,
    "teacher.csv": `id,label\n${truth.map((label, i) => `p${i},${label}\n`).join("")}`,
    "labels.jsonl": truth.map((label) => `{"label":${label}}\n`).join(""),
    "labels.npy": encodeNpy(fromNumbers("int32", [rowCount], truth)),
    "labels.idx": idx(0x08, [rowCount], truth),
    "encoder.onnx": encoder(),
  };
  for (const [name, content] of Object.entries(named)) await put(name, content);
  for (const name of [...packed, ...labels].filter((each) => each.endsWith(".gz"))) {
    await put(name, gzipSync(named[name.slice(0, -3)]!));
  }
  await queried(`copy (from '${join(folder, "rows.csv")}') to '${join(folder, "rows.parquet")}' (format parquet)`);
  await queried(`copy (from '${join(folder, "labels.csv")}') to '${join(folder, "labels.parquet")}' (format parquet)`);
  const made = `attach '${join(folder, "rows.duckdb")}' as made`;
  await queried(`${made}; create table made.rows as from '${join(folder, "rows.csv")}'; detach made`);
  for (const name of doors.slice(2)) await cp(join(fixtures, name), join(folder, name));
  for (const [i, name] of pictures.entries()) {
    const pixels = Buffer.from(Array.from({ length: 192 }, (_, at) => (at * (7 + 13 * i)) % 251));
    await sharp(pixels, { raw: { width: 8, height: 8, channels: 3 } }).toFile(join(folder, "images", name));
  }
  await makeRuns(folder, command);
}

/** Arrow files that its own library has written: from here, or from what was built of this. */
const fixtures = ["../../test/files/fixtures", "../../../test/files/fixtures"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path))!;

/** As few files as a workbook can have. */
function workbook(rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const text = (cell: string): string => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  const cell = (value: string | number): string => (typeof value === "string" ? text(value) : `<c><v>${value}</v></c>`);
  const sheet = rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  const parts = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": '<workbook><sheets><sheet name="rows" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Target="rows.xml"/></Relationships>',
    "xl/rows.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  };
  const bytes = Object.entries(parts).map(([name, part]) => [name, Buffer.from(part)] as const);
  return zipSync(Object.fromEntries(bytes), { mtime: new Date(2020, 1, 1) });
}

const quick = ["-k", "3", "--epochs", "1", "--restarts", "1"];
const sizes = ["--set", "pretraining=1", "--set", "hidden=6", "--set", "latent=2"];
const taught = [...quick.slice(2), ...sizes];
const small = [...quick, ...sizes];

/** Its snapshots are read where the report is written, and those of one that was stopped where it goes on. */
const pictured = ["--snapshots", "2"];

async function makeRuns(folder: string, command: string): Promise<void> {
  const telltale = (...words: string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [command, ...words, "--quiet"], { cwd: folder });
    if (status !== 0) throw new Error(`hostile: telltale ${words.join(" ")} ended with ${status}: ${stderr}`);
  };
  telltale("fit", "rows.csv", ...small, "--out", "run");
  telltale("fit", "images", ...small, "-k", "2", "--set", "network=fullyConnected", ...pictured, "--out", "run-images");
  telltale("fit", "rows.csv", ...quick, "--method", "kmeans", "--network", "encoder.onnx", "--out", "run-encoder");
  telltale("fit", "gaps.csv", "--missing", "drop", "--teacher", "teacher.csv", ...taught, "--out", "run-taught");
  telltale("fit", "rows.csv", ...small, "--method", "tell", "--set", "neighbours=0", "--out", "run-stepped");
  telltale("export", "run-stepped", "--target", "step", "--out", "step");
  telltale("sweep", "rows.csv", "-k", "2,3", "--method", "kmeans", "--seeds", "1", "--out", "sweep");
  await cp(join(folder, "sweep", "jobs.jsonl"), join(folder, "jobs.jsonl"));
  await cp(join(folder, "run"), join(folder, "run-streamed"), { recursive: true });
  telltale("stream", "run-streamed", "rows.csv", "--out", "streamed.csv");
  await cp(join(folder, "run"), join(folder, "run-curated"), { recursive: true });
  telltale("curate", "run-curated", "rename", "0", "first");
  telltale("curate", "run-curated", "split", "1", "--yes");
  telltale("curate", "run-curated", "merge", "0,2", "--name", "both");
  const words = ["fit", "rows.csv", ...small, ...pictured, "--epochs", "400", "--out", "run-stopped", "--quiet"];
  const child = spawn(process.execPath, [command, ...words], { cwd: folder, stdio: "ignore" });
  const ended = new Promise((over) => child.once("exit", over));
  while (!existsSync(join(folder, "run-stopped", "checkpoint", "fit.safetensors")) && child.exitCode === null) {
    await new Promise((later) => setTimeout(later, 10));
  }
  child.kill("SIGINT");
  await ended;
}

/** Every file of a run, by its path in the samples. */
export async function filesOf(folder: string, run: string): Promise<string[]> {
  const found = await readdir(join(folder, run), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** A sample's bytes, without what differs from one making to the next: dates, durations, the folder it was made in. */
export async function normalized(folder: string, name: string): Promise<Uint8Array> {
  const bytes = await readFile(join(folder, name));
  if (!/\.(json|jsonl|md)$/.test(name) || !/^(run|jobs|sweep)/.test(name)) return bytes;
  const text = bytes
    .toString("utf8")
    .replaceAll(`${folder}/`, "@/")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z")
    .replaceAll(/("(?:seconds|milliseconds|duration)": ?)[\d.e-]+/g, "$10.5");
  return Buffer.from(text);
}

function rowsOf(random: Random): Float32Array {
  const centers = [
    [10, 2, 300, 0.1],
    [40, 9, 100, 0.5],
    [25, 5, 700, 0.9],
  ];
  const noise = random.normals(4 * rowCount);
  return noise.map((value, i) => centers[Math.floor(i / 4) % 3]![i % 4]! * (1 + 0.1 * value));
}

/** Bytes or float32, as MNIST has them. */
function idx(type: 0x08 | 0x0d, shape: readonly number[], values: ArrayLike<number>): Uint8Array {
  const size = type === 0x08 ? 1 : 4;
  const start = 4 + 4 * shape.length;
  const view = new DataView(new ArrayBuffer(start + size * values.length));
  view.setUint32(0, (type << 8) | shape.length);
  for (const [i, length] of shape.entries()) view.setUint32(4 + 4 * i, length);
  for (let i = 0; i < values.length; i++) {
    if (size === 1) view.setUint8(start + i, values[i]!);
    else view.setFloat32(start + 4 * i, values[i]!);
  }
  return new Uint8Array(view.buffer);
}

/** Four numbers to three, linearly. */
function encoder(): Uint8Array {
  const graph = new OnnxGraph();
  graph.input("x", "float32", ["n", 4]);
  const weights = graph.initializer(
    "w",
    fromNumbers(
      "float32",
      [4, 3],
      Array.from({ length: 12 }, (_, i) => Math.sin(i)),
    ),
  );
  graph.output("y", graph.node("MatMul", ["x", weights]), "float32", ["n", 3]);
  return graph.bytes();
}

async function queried(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}
