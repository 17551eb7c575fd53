/**
 * What does an iteration of k-means cost, on 70,000 digits of 784 numbers with 10 centers? The k-means that teachers
 * use, iteration by iteration until nothing moves, in turns with scikit-learn's and faiss', all from the same centers:
 * those of the best of ten starts on a part of the rows, as the teacher begins. Ours runs on one processor, the others
 * on as many as OMP_NUM_THREADS says.
 *
 * usage: npm run -s bench -- kmeansIteration --data DIR [--rows 70000] [--pairs 100] [--python python3]
 *          [--out bench/results/kmeansIteration.jsonl]
 */

import { spawn } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { encodeNpy } from "../src/formats/npy.ts";
import { kmeans } from "../src/numerics/kmeans.ts";
import { Lloyd } from "../src/numerics/lloyd.ts";
import { Random } from "../src/tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../src/tensor/tensor.ts";
import { commitOf } from "./commit.ts";
import { load } from "./data.ts";
import { medianOf } from "./records.ts";

const k = 10;

export async function kmeansIteration(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string", default: "" },
      rows: { type: "string", default: "70000" },
      pairs: { type: "string", default: "100" },
      python: { type: "string", default: "python3" },
      out: { type: "string", default: "bench/results/kmeansIteration.jsonl" },
    },
  });
  if (!values.data) throw new Error("bench: say with --data where the data sets are");
  const all = (await load(values.data, "mnist")).data.tensor!.data;
  const n = Number(values.rows);
  const rows = tensor("float32", [n, 784], all.slice(0, n * 784));
  const random = Random.seeded(1);
  const part = takeRows(rows, random.permutation(n).subarray(0, Math.floor(2 ** 20 / 784)));
  const start = kmeans(part, k, random).centers;
  const folder = await mkdtemp(join(tmpdir(), "telltale-iteration-"));
  try {
    const files = [join(folder, "rows.npy"), join(folder, "centers.npy")] as const;
    await writeFile(files[0], encodeNpy(rows));
    await writeFile(files[1], encodeNpy(start));
    const found = await inTurns(
      rows,
      start,
      [values.python, "bench/peers/kmeans_iteration.py", ...files],
      values.pairs,
    );
    const machine = `${cpus()[0]?.model.trim()}, ${found.threads} threads for the others`;
    const record = { rows: n, ...found, machine, commit: commitOf(), command: "bench kmeansIteration" };
    await appendFile(values.out, `${JSON.stringify(record)}\n`);
    const { milliseconds: ms, ratios } = found;
    console.log(`${JSON.stringify(ms)} ms; ratios of pairs ${JSON.stringify(ratios)} over ${found.pairs} iterations`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inTurns(rows: Tensor<"float32">, start: Tensor<"float32">, words: readonly string[], pairs: string) {
  const child = spawn(words[0]!, words.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, number>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`bench: ${words.slice(0, 2).join(" ")} ended before it was asked to`);
    return JSON.parse(value as string) as Record<string, number>;
  };
  const { threads, ...versions } = await next();
  const begun = performance.now();
  const run = new Lloyd(rows, start);
  const first = performance.now() - begun;
  const times: Record<string, number[]> = { own: [], "scikit-learn": [], faiss: [] };
  for (let still = false; !still && times.own!.length < Number(pairs); ) {
    const [started, before] = [performance.now(), run.inertia];
    run.iterate();
    times.own!.push(performance.now() - started);
    still = before - run.inertia <= 1e-7 * before;
    child.stdin.write("\n");
    for (const [who, milliseconds] of Object.entries(await next())) times[who]!.push(milliseconds);
  }
  child.stdin.end();
  const others = ["scikit-learn", "faiss"] as const;
  return {
    pairs: times.own!.length,
    first,
    // Ours becomes cheaper as centers come to rest: the mean over the run is what a person waits for.
    milliseconds: Object.fromEntries(Object.entries(times).map(([who, all]) => [who, mean(all)])),
    ratios: Object.fromEntries(
      others.map((who) => [who, medianOf(times.own!.map((own, i) => own / times[who]![i]!))] as const),
    ),
    ratiosOfMeans: Object.fromEntries(others.map((who) => [who, mean(times.own!) / mean(times[who]!)] as const)),
    threads,
    versions,
  };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
