/** Whether what a command has written is all there: it reads back, and has as many rows as were promised. */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import sharp from "sharp";
import { devices, findDevice, openRun } from "../../src/doors/inside.ts";
import { decodeSafetensors } from "../../src/formats/safetensors.ts";

/** What a command was told and what it printed. */
export interface Said {
  readonly words: readonly string[];
  readonly out: string;
}

/** What is wrong with the output of a command that ended well; nothing where all is there. */
export async function halfIn({ words, out }: Said): Promise<string | undefined> {
  const check = checks[words[0] ?? ""];
  if (!check || words.some((word) => ["--help", "-h", "--"].includes(word))) return undefined;
  try {
    await check(words, out);
    return undefined;
  } catch (error) {
    return `${words[0]}: ${(error as Error).message}`;
  }
}

const checks: Readonly<Record<string, (words: readonly string[], out: string) => Promise<void>>> = {
  assign: async (words, out) => checkRows(optionIn(words, "--out", "-o"), promised(out)),
  // Of a stream in which nothing came nothing is written, and it says so.
  stream: async (words, out) => {
    if (promised(out) !== 0) await checkRows(optionIn(words, "--out", "-o"), promised(out));
  },
  fit: async (words) =>
    checkRun(optionIn(words, "--out", "-o") ?? optionIn(words, "--resume"), words.includes("--no-report")),
  import: async (words) => checkRun(optionIn(words, "--out", "-o"), words.includes("--no-report")),
  sweep: async (words) => {
    if (words[1] === "collect") await checkReport(join(words[2]!, "report.html"));
  },
  report: async (words) => checkReport(join(words[1]!, "report.html")),
  export: async (words, out) => checkExport(words, out),
  explain: async (words) => {
    const picture = optionIn(words, "--picture");
    if (picture !== undefined) await sharp(await readFile(picture)).stats();
  },
};

/** The rows that the JSON speaks of. */
function promised(out: string): number | undefined {
  const line = out.trim().split("\n").at(-1) ?? "";
  try {
    return (JSON.parse(line) as { rows?: number }).rows;
  } catch {
    return undefined;
  }
}

async function checkRows(file: string | undefined, rows: number | undefined): Promise<void> {
  if (file === undefined || rows === undefined || !(await stat(file)).isFile()) return;
  const found = await rowsIn(file);
  if (found !== rows) throw new Error(`${rows} rows were promised, the file has ${found}`);
}

async function rowsIn(file: string): Promise<number> {
  const bytes = await readFile(file);
  if (bytes.toString("latin1", 0, 4) === "PAR1") return rowsOfParquet(file);
  const text = bytes.toString("utf8");
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  if (!text.startsWith("{")) return recordsIn(text) - 1;
  const lines = text.split("\n").slice(0, -1);
  for (const line of lines) JSON.parse(line);
  return lines.length;
}

/** A line break inside quotes is none. */
function recordsIn(csv: string): number {
  let [count, isQuoted] = [0, false];
  for (const letter of csv) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === "\n" && !isQuoted) count++;
  }
  if (isQuoted) throw new Error("a quote is never closed");
  return count;
}

async function rowsOfParquet(file: string): Promise<number> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    // Every column of every row, not only the footer.
    const reader = await connection.runAndReadAll("from read_parquet($1)", [file]);
    return reader.currentRowCount;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function checkRun(path: string | undefined, withoutReport: boolean): Promise<void> {
  if (path === undefined) return;
  const run = await openRun(path);
  await run.clusters();
  await (await run.model({ device: "cpu" })).close();
  const rows = await rowsOfParquet(join(path, "assignments.parquet"));
  const { rows: fitted } = run.description.source;
  if (rows !== fitted) throw new Error(`${fitted} rows were fitted, assignments.parquet has ${rows}`);
  if (!withoutReport) await checkReport(join(path, "report.html"));
}

async function checkReport(file: string): Promise<void> {
  if (!/<\/html>\s*$/.test(await readFile(file, "utf8"))) throw new Error("the report has no end");
}

async function checkExport(words: readonly string[], out: string): Promise<void> {
  if (!words.includes("--json")) return;
  const { files } = JSON.parse(out.trim().split("\n").at(-1)!) as { files: string[] };
  for (const file of files) {
    const bytes = await readFile(file);
    if (/\.onnx$/.test(file)) await checkOnnx(bytes);
    else if (/\.safetensors$/.test(file)) decodeSafetensors(bytes);
    else if (/\.(csv|parquet)$/.test(file)) {
      const found = await rowsIn(file);
      const { rows } = (await openRun(words[1]!)).description.source;
      if (found !== rows) throw new Error(`the run has ${rows} rows, ${optionIn(words, "--target")} has ${found}`);
    } else if (bytes.length === 0) throw new Error(`${file} is empty`);
  }
}

/** By its bytes alone, as elsewhere it must load. */
async function checkOnnx(bytes: Uint8Array): Promise<void> {
  const device = await findDevice(devices, "cpu");
  const session = await device.runtime.InferenceSession.create(bytes, device.options);
  await session.release();
}

function optionIn(words: readonly string[], ...flags: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => flags.includes(word));
  if (at >= 0) return words[at + 1];
  const inline = words.find((word) => flags.some((flag) => word.startsWith(`${flag}=`)));
  return inline?.slice(inline.indexOf("=") + 1);
}
