/**
 * Has anything become slower? Commands of this build and of another one in turns, each pair right after the other, so
 * that what else the machine does meets both alike; the median of the ratios tells. Each is a command as people call
 * it, its start included.
 *
 * usage: npm run -s bench -- pairs --against FOLDER [--pairs 20] [--only WORD] [--out bench/results/pairs.json]
 *        (FOLDER is the dist/ of the other build; BENCH_AGAINST names its commit)
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { Random } from "../src/doors/engine.ts";
import { encodeNpy } from "../src/formats/npy.ts";
import { tensor } from "../src/tensor/tensor.ts";
import { commitOf } from "./commit.ts";

const tell = ["--method", "tell", "--epochs", "3"];
const quick = ["--restarts", "1", "--no-map"];
const little = [...quick, "--set", "pretraining=2", "--set", "hidden=64"];

/** What a build before has not done, this one is told not to do: the same work is compared. */
const sinceThen = ["--no-groups"];

/** What is compared, in a folder that has the files: commands of seconds, so that their start counts as it does. */
const cases: Readonly<Record<string, readonly string[]>> = {
  "assign 200,000 × 16, CSV": ["assign", "run", "wide.csv", "--out", "out.csv"],
  "assign 200,000 × 16, Parquet": ["assign", "run", "wide.parquet", "--out", "out.parquet"],
  "assign 200,000 × 16, .npy": ["assign", "run-npy", "wide.npy", "--out", "out.csv"],
  "fit tell to 1,000 × 10, CSV": ["fit", "small.csv", "-k", "4", ...tell, ...little, "--out", "out"],
  "fit tell to 2,000 digits": [
    ...["fit", "digits.npy", "-k", "10", ...tell, ...little],
    ...["--set", "network=fullyConnected", "--out", "out"],
  ],
  "fit kmeans to 100,000 × 8, Parquet": [
    ...["fit", "long.parquet", "-k", "4", "--method", "kmeans", "--epochs", "2"],
    ...[...quick, "--out", "out"],
  ],
};

/** How much longer this build may take. */
const limit = 1.05;

export async function pairs(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      against: { type: "string" },
      pairs: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      out: { type: "string", default: "bench/results/pairs.json" },
    },
  });
  const other = resolve(values.against ?? "", "src/cli/main.js");
  if (values.against === undefined || !existsSync(other)) {
    throw new Error(`pairs: --against must be the dist folder of another build, got ${values.against ?? "nothing"}`);
  }
  const root = fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../../" : "../", import.meta.url));
  const own = join(root, "dist/src/cli/main.js");
  const folder = await mkdtemp(join(tmpdir(), "telltale-pairs-"));
  try {
    await makeFiles(folder, root, other);
    const chosen = Object.entries(cases).filter(([name]) => name.includes(values.only));
    const found = chosen.map(([name, words]) => {
      const measured = { ...compared(folder, words, own, other, Number(values.pairs)), limit };
      console.log(`${name.padEnd(38)} ${lineOf(measured)}`);
      return [name, measured] as const;
    });
    const record = {
      cases: Object.fromEntries(found),
      commit: commitOf(),
      against: process.env.BENCH_AGAINST ?? "unknown",
      command: `bench pairs --pairs ${values.pairs}`,
    };
    await writeFile(values.out, `${JSON.stringify(record, null, 2)}\n`);
    if (found.some(([, { ratio }]) => ratio > limit)) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Compared {
  /** The median of the ratios of pairs, this build over the other; and the middle half of them. */
  readonly ratio: number;
  readonly half: readonly [number, number];
  /** Medians, in seconds. */
  readonly seconds: number;
  readonly before: number;
  readonly pairs: number;
}

function lineOf({ ratio, half, seconds, before }: Compared): string {
  const [low, high] = half.map((each) => each.toFixed(3));
  return `${ratio.toFixed(3)} (${low} to ${high})   ${seconds.toFixed(2)} s, before ${before.toFixed(2)} s`;
}

function compared(folder: string, words: readonly string[], own: string, other: string, count: number): Compared {
  const [mine, others]: [number[], number[]] = [[], []];
  const wordsOf = new Map([own, other].map((build) => [build, [...words, ...knownTo(build, words[0]!)]]));
  // The first of each finds files that nobody has read lately.
  for (const build of [own, other]) timed(folder, build, wordsOf.get(build)!);
  for (let i = 0; i < count; i++) {
    // Who goes first changes, since the second may find it easier.
    const order = i % 2 === 0 ? [own, other] : [other, own];
    for (const build of order) (build === own ? mine : others).push(timed(folder, build, wordsOf.get(build)!));
  }
  const ratios = mine.map((seconds, i) => seconds / others[i]!).sort((a, b) => a - b);
  return {
    ratio: quantile(ratios, 0.5),
    half: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    seconds: quantile(mine, 0.5),
    before: quantile(others, 0.5),
    pairs: count,
  };
}

function knownTo(build: string, command: string): string[] {
  const { stdout } = spawnSync(process.execPath, [build, command, "--help"], { encoding: "utf8" });
  return sinceThen.filter((word) => stdout.includes(word));
}

function timed(folder: string, build: string, words: readonly string[]): number {
  const started = performance.now();
  telltale(folder, build, [...words, "--force"]);
  return (performance.now() - started) / 1000;
}

function telltale(folder: string, build: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [build, ...words, "--quiet"], { cwd: folder });
  if (status !== 0) throw new Error(`pairs: telltale ${words.join(" ")} ended with ${status}: ${stderr}`);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (at - Math.floor(at)) * (high - low);
}

/** Files and runs, the runs by the other build: what it has written, this one reads. */
async function makeFiles(folder: string, root: string, build: string): Promise<void> {
  const random = Random.seeded(5);
  const [rows, width] = [200_000, 16];
  const values = random.normals(rows * width).map((value, i) => value + 5 * (Math.floor(i / width) % 4));
  await writeFile(join(folder, "wide.npy"), encodeNpy(tensor("float32", [rows, width], values)));
  await writeFile(join(folder, "wide.csv"), csvOf(values, rows, width));
  await writeFile(join(folder, "few.csv"), csvOf(values, 2000, width));
  await writeFile(join(folder, "few.npy"), encodeNpy(tensor("float32", [2000, width], values.slice(0, 2000 * width))));
  await writeFile(join(folder, "small.csv"), csvOf(values, 1000, 10));
  const packed = gunzipSync(await readFile(join(root, "data/digits/images.npy.gz")));
  const start = 10 + packed.readUInt16LE(8);
  const digits = new Uint8Array(packed.subarray(start, start + 2000 * 784));
  await writeFile(join(folder, "digits.npy"), encodeNpy(tensor("uint8", [2000, 28, 28], digits)));
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const file = (name: string): string => `'${join(folder, name)}'`;
  await connection.run(`copy (from ${file("wide.csv")}) to ${file("wide.parquet")} (format parquet)`);
  const eight = Array.from({ length: 8 }, (_, i) => `c${i}`).join();
  await connection.run(
    `copy (select ${eight} from ${file("wide.csv")} limit 100000) to ${file("long.parquet")} (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  const short = ["-k", "4", "--epochs", "1", ...little, "--no-report"];
  telltale(folder, build, ["fit", "few.csv", ...short, "--out", "run"]);
  telltale(folder, build, ["fit", "few.npy", ...short, "--out", "run-npy"]);
}

function csvOf(values: Float32Array, rows: number, width: number): string {
  const names = Array.from({ length: width }, (_, i) => `c${i}`).join();
  const lines = Array.from({ length: rows }, (_, i) =>
    Array.from(values.subarray(i * width, (i + 1) * width), (value) => value.toFixed(4)).join(),
  );
  return `${names}\n${lines.join("\n")}\n`;
}
