/**
 * Does `auto` say "one cloud" of one cloud, and "groups" of groups? And how many, on tables whose classes are known? By
 * the rows alone, the first of the views that it looks at, and on past 15 where it goes on; with --codes as `fit` does,
 * by rows and by the codes of a pretraining where the rows are not clear.
 *
 * usage: npm run -s bench -- groups [--trials 20] [--rows 600] [--seed 1] [--tables FOLDER] [--codes] [--only PATTERN]
 *          [--out FILE]
 *        npm run -s bench -- groups --write       writes the figures of docs/groups.md from what is recorded
 *   --tables: a folder made by bench/peers/tables.py; without it, only what is generated here is looked at
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random, toNumbers } from "../src/doors/engine.ts";
import { decodeNpy, type Tensor, tensor } from "../src/doors/inside.ts";
import { silhouette } from "../src/metrics/silhouette.ts";
import { choosing } from "../src/model/choosing.ts";
import { kmeans } from "../src/numerics/kmeans.ts";
import { cpu } from "../src/runtime/native.ts";
import { takeRows } from "../src/tensor/tensor.ts";
import { type ClusterChoice, chooseClusters, rowsToChooseBy, usualRange } from "../src/training/chooseClusters.ts";
import { commitOf } from "./commit.ts";
import { groupsPages } from "./groupsPage.ts";

type Rows = Tensor<"float32">;
type Draw = (u: Float32Array, e: Float32Array, i: number) => number[];

/** Rows drawn one by one from uniform and normal numbers, four of each for a row. */
function drawn(n: number, random: Random, draw: Draw): Rows {
  const [u, e] = [random.uniforms(4 * n), random.normals(4 * n)];
  const rows = Array.from({ length: n }, (_, i) => draw(u.subarray(4 * i, 4 * i + 4), e.subarray(4 * i, 4 * i + 4), i));
  return tensor("float32", [n, rows[0]!.length], Float32Array.from(rows.flat()));
}

/** One cloud each: nothing is to be found. */
const clouds: Readonly<Record<string, (n: number, random: Random) => Rows>> = {
  "uniform, 2 columns": (n, random) => tensor("float32", [n, 2], random.uniforms(2 * n)),
  "uniform, 10 columns": (n, random) => tensor("float32", [n, 10], random.uniforms(10 * n)),
  "uniform, ten times as long as wide": (n, random) => drawn(n, random, ([u = 0, v = 0]) => [10 * u, v]),
  "normal, 2 columns": (n, random) => tensor("float32", [n, 2], random.normals(2 * n)),
  "normal, 20 columns": (n, random) => tensor("float32", [n, 20], random.normals(20 * n)),
  "normal, unequal axes": (n, random) =>
    tensor(
      "float32",
      [n, 6],
      random.normals(6 * n).map((value, at) => (3 * value) / (1 + (at % 6))),
    ),
  "exponential, 5 columns": (n, random) =>
    tensor(
      "float32",
      [n, 5],
      random.uniforms(5 * n).map((value) => -Math.log(1 - value)),
    ),
  "swiss roll": (n, random) =>
    drawn(n, random, ([u = 0, v = 0], [a = 0, b = 0, c = 0]) => {
      const t = 1.5 * Math.PI * (1 + 2 * u);
      return [t * Math.cos(t) + 0.5 * a, 21 * v + 0.5 * b, t * Math.sin(t) + 0.5 * c];
    }),
  "S-curve": (n, random) =>
    drawn(n, random, ([u = 0, v = 0], [a = 0, b = 0, c = 0]) => {
      const t = 3 * Math.PI * (u - 0.5);
      return [Math.sin(t) + 0.1 * a, 2 * v + 0.1 * b, Math.sign(t) * (Math.cos(t) - 1) + 0.1 * c];
    }),
  "three quarters of a circle": (n, random) =>
    drawn(n, random, ([u = 0], [a = 0, b = 0]) => {
      const t = 1.5 * Math.PI * u;
      return [Math.cos(t) + 0.05 * a, Math.sin(t) + 0.05 * b];
    }),
  "half of a sphere": (n, random) =>
    drawn(n, random, ([u = 0, v = 0], [a = 0, b = 0, c = 0]) => {
      const [t, r] = [2 * Math.PI * u, Math.sqrt(1 - v * v)];
      return [r * Math.cos(t) + 0.05 * a, r * Math.sin(t) + 0.05 * b, v + 0.05 * c];
    }),
};

/** k normal clouds of deviation 1 in d columns, their centers no nearer than this. */
function blobs(n: number, k: number, d: number, distance: number, random: Random): Rows {
  const centers: number[][] = [];
  for (let side = distance * k ** (1 / Math.min(d, 3)); centers.length < k; side *= 1.01) {
    const center = [...random.uniforms(d, -side / 2, side / 2)];
    const isApart = (other: number[]): boolean => Math.hypot(...other.map((at, c) => at - center[c]!)) >= distance;
    if (centers.every(isApart)) centers.push(center);
  }
  const noise = random.normals(n * d);
  return tensor(
    "float32",
    [n, d],
    noise.map((value, at) => value + centers[Math.floor(at / d) % k]![at % d]!),
  );
}

const separated = [3, 4, 5].flatMap((k) => [2, 5, 20].map((d) => ({ k, d })));

export async function groups(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      trials: { type: "string", default: "20" },
      rows: { type: "string", default: "600" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
      tables: { type: "string" },
      codes: { type: "boolean", default: false },
      out: { type: "string", default: "bench/results/groups.json" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.write) {
    for (const [file, text] of await groupsPages()) await writeFile(file, text);
    return;
  }
  const [trials, n, seed] = [Number(values.trials), Number(values.rows), Number(values.seed)];
  const answer = values.codes ? answerOfFit : answerOfRows;
  const isWanted = (name: string): boolean => new RegExp(values.only ?? "").test(name);
  const random = Random.seeded(seed).fork("bench groups");
  const record: Record<string, unknown> = {};

  const falseAlarms: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(clouds).filter(([name]) => isWanted(name))) {
    const answers = await times(trials, (t) => answer(make(n, random.fork(`${name} ${t}`)), seed + t));
    falseAlarms[name] = summary(answers, ({ found }) => found > 1, "alarms");
    console.log(name.padEnd(40), JSON.stringify(falseAlarms[name]));
  }
  const detected: Record<string, unknown> = {};
  for (const { k, d } of separated.filter(() => isWanted("blobs"))) {
    const name = `${k} blobs, ${d} columns`;
    const answers = await times(trials, (t) => answer(blobs(n, k, d, 6, random.fork(`${name} ${t}`)), seed + t));
    detected[name] = {
      ...summary(answers, ({ found }) => found > 1, "detected"),
      rightNumber: answers.filter(({ found }) => found === k).length,
    };
    console.log(name.padEnd(40), JSON.stringify(detected[name]));
  }
  const numbers: Record<string, unknown> = {};
  for (let k = 2; k <= 10 && isWanted("many"); k++) {
    const rows = blobs(100 * k, k, 5, 6, random.fork(`many ${k}`));
    numbers[`${k} blobs, 5 columns`] = await compared(answer, rows, k, seed);
    console.log(`${k} blobs, 5 columns`.padEnd(40), JSON.stringify(numbers[`${k} blobs, 5 columns`]));
  }
  for (const name of values.tables ? (await readdir(values.tables)).filter(isWanted).sort() : []) {
    const { rows, classes } = await tableOf(join(values.tables!, name));
    numbers[name] = await compared(answer, standardized(rows), classes, seed);
    console.log(name.padEnd(40), JSON.stringify(numbers[name]));
  }
  Object.assign(record, { falseAlarms, detected, numbers, trials, rows: n, seed, commit: commitOf() });
  record.command = ["bench groups", ...parameters.filter((word) => !word.startsWith("/"))].join(" ");
  await writeFile(values.out, `${JSON.stringify(record, null, 2)}\n`);
}

interface Answer {
  readonly found: number;
  readonly between: readonly [number, number];
  /** Of the processor: others may be at work. */
  readonly seconds: number;
}

async function answerOfRows(rows: Rows, seed: number): Promise<Answer> {
  return timed(() => chooseClusters([rows], usualRange(rows.shape[0]!), seed));
}

/** What `fit` answers before it fits. */
async function answerOfFit(rows: Rows, seed: number): Promise<Answer> {
  const device = await cpu.find();
  return timed(async () => {
    const found = choosing(rows, { clusters: "auto", seed }, device);
    for (let step = await found.next(); ; step = await found.next()) if (step.done) return step.value.choice;
  });
}

async function timed(choose: () => Promise<ClusterChoice>): Promise<Answer> {
  const started = process.cpuUsage().user;
  const { chosen, between } = await choose();
  return { found: chosen, between: between!, seconds: rounded((process.cpuUsage().user - started) / 1e6) };
}

function summary(answers: readonly Answer[], isCounted: (answer: Answer) => boolean, name: string) {
  const seconds = rounded(answers.reduce((sum, each) => sum + each.seconds, 0) / answers.length);
  return { [name]: answers.filter(isCounted).length, of: answers.length, found: answers.map((a) => a.found), seconds };
}

/** What is found, against the truth, and against the number of the best silhouette of k-means, the old rule. */
async function compared(answer: typeof answerOfRows, rows: Rows, truth: number, seed: number) {
  const n = rows.shape[0]!;
  const some =
    n > rowsToChooseBy ? takeRows(rows, Random.seeded(seed).permutation(n).subarray(0, rowsToChooseBy).sort()) : rows;
  const { found, between, seconds } = await answer(some, seed);
  return { truth, found, between, silhouette: bestSilhouette(some, seed), seconds };
}

function bestSilhouette(rows: Rows, seed: number): number {
  const [, to] = usualRange(rows.shape[0]!);
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  for (let k = 2; k <= to; k++) {
    const random = Random.seeded(seed).fork(String(k));
    const { labels } = kmeans(rows, k, random, { restarts: 5 });
    const score = silhouette(rows, labels, { sample: { size: 2000, random } });
    if (score > most) [best, most] = [k, score];
  }
  return best;
}

async function times<T>(count: number, work: (time: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let t = 0; t < count; t++) all.push(await work(t));
  return all;
}

async function tableOf(folder: string): Promise<{ rows: Rows; classes: number }> {
  const read = async (file: string) => decodeNpy(await readFile(join(folder, `${file}.npy.gz`)));
  const [stored, labels] = [await read("features"), await read("labels")];
  return {
    rows: tensor("float32", stored.shape, Float32Array.from(toNumbers(stored))),
    classes: new Set(toNumbers(labels)).size,
  };
}

/** Each column with a mean of 0 and a deviation of 1, as tables are scaled. */
function standardized({ data, shape }: Rows): Rows {
  const [n, d] = shape as [number, number];
  const [sums, squares] = [new Float64Array(d), new Float64Array(d)];
  data.forEach((value, at) => {
    sums[at % d]! += value / n;
  });
  data.forEach((value, at) => {
    squares[at % d]! += (value - sums[at % d]!) ** 2 / n;
  });
  return tensor(
    "float32",
    shape,
    data.map((value, at) => (value - sums[at % d]!) / (Math.sqrt(squares[at % d]!) || 1)),
  );
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
