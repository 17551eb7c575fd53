/**
 * Is a fit as long as it says? Generated rows, each fitted as the command does, from the file to the report: what was
 * said before it began in earnest, and what it took.
 *
 * usage: npm run -s bench -- time [--only NAME,…] [--out bench/results/time.json]
 */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FileFitOptions, fitRun } from "../src/doors/inside.ts";
import { encodeNpy } from "../src/formats/npy.ts";
import { Random } from "../src/tensor/random.ts";
import { tensor } from "../src/tensor/tensor.ts";
import { commitOf } from "./commit.ts";

interface Task {
  readonly name: string;
  /** Numbers in each row. */
  readonly row: readonly number[];
  readonly rows: number;
  readonly groups: number;
  readonly options: Pick<FileFitOptions, "clusters" | "method">;
}

const tasks: readonly Task[] = [
  { name: "small", row: [10], rows: 1000, groups: 4, options: { clusters: 4 } },
  { name: "auto", row: [10], rows: 1000, groups: 4, options: {} },
  { name: "table", row: [20], rows: 10_000, groups: 5, options: { clusters: 5 } },
  { name: "kmeans", row: [14], rows: 336_776, groups: 6, options: { clusters: 6, method: "kmeans" } },
  { name: "rows", row: [32], rows: 100_000, groups: 8, options: { clusters: 8 } },
  { name: "images", row: [1, 16, 16], rows: 2000, groups: 5, options: { clusters: 5 } },
];

interface Timed {
  readonly name: string;
  readonly said: number;
  readonly taken: number;
  /** taken / said. */
  readonly ratio: number;
  /** What waited for the processors, on average: more than there are, and it took longer than it had to. */
  readonly load: number;
  readonly commit: string;
}

interface Results {
  readonly processors: number;
  readonly results: readonly Timed[];
  readonly command: string;
}

export async function time(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      only: { type: "string", default: tasks.map(({ name }) => name).join() },
      out: { type: "string", default: "bench/results/time.json" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "telltale-time-"));
  const results: Timed[] = [];
  try {
    for (const task of tasks.filter(({ name }) => options.only.split(",").includes(name))) {
      results.push(await timed(task, folder));
      const { name, said, taken } = results.at(-1)!;
      console.error(`${name}: said ${said.toFixed(1)} s, took ${taken.toFixed(1)} s`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  // What was measured before, of other rows, stays.
  const before = (JSON.parse(await readFile(options.out, "utf8").catch(() => '{"results":[]}')) as Results).results;
  const others = before.filter(({ name }) => !results.some((each) => each.name === name));
  const all = tasks.flatMap(({ name }) => [...results, ...others].filter((each) => each.name === name));
  const result: Results = { processors: cpus().length, results: all, command: "bench time" };
  await writeFile(options.out, `${JSON.stringify(result, null, 2)}\n`);
  console.log(JSON.stringify(result, null, 2));
}

async function timed({ name, row, rows, groups, options }: Task, folder: string): Promise<Timed> {
  const file = join(folder, `${name}.${row.length === 1 ? "csv" : "npy"}`);
  await writeFile(file, row.length === 1 ? table(rows, row[0]!, groups) : images(rows, row, groups));
  let said = 0;
  const started = performance.now();
  await fitRun(file, {
    ...options,
    out: join(folder, name),
    onEvent: (event) => {
      // What is said first is what people wait by; it is said anew where the choice of a number ends.
      if (event.kind === "expected" && said === 0) said = event.seconds;
    },
  });
  const taken = (performance.now() - started) / 1000;
  return { name, said, taken, ratio: taken / said, load: loadavg()[0]!, commit: commitOf() };
}

/** Normal groups, with an id for each row. */
function table(rows: number, columns: number, groups: number): string {
  const random = Random.seeded(rows);
  const places = random.normals(groups * columns).map((value) => 4 * value);
  const lines = [`row_id,${Array.from({ length: columns }, (_, c) => `c${c}`).join()}`];
  for (let i = 0; i < rows; i++) {
    const group = random.below(groups);
    const noise = random.normals(columns);
    lines.push(`r${i},${Array.from(noise, (value, c) => (value + places[group * columns + c]!).toFixed(3)).join()}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A bright square for each group, somewhere else, and noise. */
function images(rows: number, [, height = 1, width = 1]: readonly number[], groups: number): Uint8Array {
  const random = Random.seeded(rows);
  const pixels = random.uniforms(rows * height * width).map((value) => 60 * value);
  for (let i = 0; i < rows; i++) {
    const group = i % groups;
    const [top, left] = [2 * group + random.below(3), (5 * group) % (width - 6)];
    for (let y = top; y < Math.min(height, top + 5); y++) {
      for (let x = left; x < left + 5; x++) pixels[(i * height + y) * width + x]! += 180;
    }
  }
  return encodeNpy(tensor("float32", [rows, 1, height, width], pixels));
}
