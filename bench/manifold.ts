/**
 * Is our manifold as good a teacher as umap-learn's, and as fast? Both lay out the same codes in clamp(k, 2, 16)
 * dimensions with 20 neighbours and minimal distance 0, and k-means divides them; in turns, each on one processor. The
 * codes are those of one short pretraining for each data set (`effort: "quick"`), kept as .npy files in CODES.
 *
 * usage: npm run -s bench -- manifold --data DIR --codes DIR [--only usps] [--seeds 1,2,3,4,5] [--rows N]
 *          [--python python3] [--out bench/results/manifold.jsonl]
 */

import { spawn } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { fit } from "../src/doors/node.ts";
import { decodeNpy, encodeNpy } from "../src/formats/npy.ts";
import { paceOf } from "../src/numerics/pace.ts";
import { teachers } from "../src/teachers/index.ts";
import { Random } from "../src/tensor/random.ts";
import { type Tensor, tensor } from "../src/tensor/tensor.ts";
import { scoresOf } from "../src/training/scoresOf.ts";
import { commitOf } from "./commit.ts";
import { type Labelled, load } from "./data.ts";

export async function manifold(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string", default: "" },
      codes: { type: "string", default: "" },
      only: { type: "string", default: "mnist-test,usps,reuters10k" },
      seeds: { type: "string", default: "1,2,3,4,5" },
      rows: { type: "string", default: "100000" },
      python: { type: "string", default: "python3" },
      out: { type: "string", default: "bench/results/manifold.jsonl" },
    },
  });
  if (!values.data || !values.codes) throw new Error("bench: say with --data and --codes where data and codes are");
  await mkdir(values.codes, { recursive: true });
  const ask = await umapLearn(values.python);
  try {
    for (const data of values.only.split(",")) {
      const { labels: all, classes, data: source } = await load(values.data, data);
      const n = Math.min(all.length, Number(values.rows));
      const file = join(values.codes, `${data}-${n}.npy`);
      const rows = await codesOf({ labels: all, classes, data: source }, n, file);
      const labels = all.subarray(0, n);
      for (const seed of values.seeds.split(",").map(Number)) {
        const cell = `${data}-${n}/${seed}`;
        if ((await readFile(values.out, "utf8").catch(() => "")).includes(`"cell":"${cell}"`)) continue;
        const own = await timed(() => ourLabels(rows, classes, seed));
        const other = await ask(file, classes, seed);
        const scored = (found: Int32Array) => scoresOf(labels, found).accuracy!;
        const line = {
          ...{ cell, data, seed, rows: n, codes: `codes of ${rows.shape[1]}` },
          own: { accuracy: scored(own.labels), seconds: own.seconds },
          umap: { accuracy: scored(Int32Array.from(other.labels)), seconds: other.seconds },
          ...{ machine: cpus()[0]?.model.trim(), commit: commitOf(), command: `bench manifold --only ${data}` },
        };
        await appendFile(values.out, `${JSON.stringify(line)}\n`);
        console.log(`${cell.padEnd(24)} ours ${said(line.own)}   umap-learn ${said(line.umap)}`);
      }
    }
  } finally {
    ask.end();
  }
}

const said = ({ accuracy, seconds }: { accuracy: number; seconds: number }): string =>
  `${(100 * accuracy).toFixed(1)} in ${seconds.toFixed(1)} s`;

/** Codes of the first n rows, from the file where they are there already. */
async function codesOf({ data, classes }: Labelled, n: number, file: string): Promise<Tensor<"float32">> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return (await decodeNpy(kept)) as Tensor<"float32">;
  const width = data.row.reduce((a, b) => a * b, 1);
  const rows = tensor("float32", [n, ...data.row], data.tensor!.data.slice(0, n * width));
  const model = await fit(rows, { clusters: classes, seed: 1, effort: "quick" });
  const codes = await model.transform(rows);
  await model.close();
  await writeFile(file, encodeNpy(codes));
  return codes;
}

async function ourLabels(rows: Tensor<"float32">, clusters: number, seed: number): Promise<Int32Array> {
  return (await teachers.manifold.teach(rows, { clusters, random: Random.seeded(seed), pace: paceOf(undefined) }))
    .labels;
}

async function timed(work: () => Promise<Int32Array>): Promise<{ labels: Int32Array; seconds: number }> {
  const started = performance.now();
  const labels = await work();
  return { labels, seconds: (performance.now() - started) / 1000 };
}

/** A process that lays out what it is asked to; `end` ends it. */
async function umapLearn(python: string) {
  const env = { ...process.env, ...Object.fromEntries(["OMP", "NUMBA"].map((of) => [`${of}_NUM_THREADS`, "1"])) };
  const child = spawn(python, ["bench/peers/manifold.py"], { stdio: ["pipe", "pipe", "inherit"], env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("bench: bench/peers/manifold.py ended before it was asked to");
    return JSON.parse(value as string);
  };
  await next();
  const ask = async (rows: string, clusters: number, seed: number) => {
    child.stdin.write(`${JSON.stringify({ rows, clusters, seed })}\n`);
    return (await next()) as { labels: number[]; seconds: number };
  };
  return Object.assign(ask, { end: () => child.stdin.end() });
}
