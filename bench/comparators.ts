/**
 * How well do the classical clusterings that the papers compare with find digits? USPS and mnist-test's 10,000 rows as
 * they are, one run each; beside the figure of scikit-learn or SciPy (--python) or of the papers. Labels score, and
 * decide nothing here; where a parameter is one that a paper chose by labels, the line says `tuned`.
 *
 * Each finished cell is a line of OUT; one that has its line is not run again, so that it can be stopped at any time.
 *
 * usage: npm run -s bench -- comparators --data DIR [--only TEXT] [--device cpu] [--minutes M] [--python python3]
 *          [--out bench/results/comparators.jsonl]
 *        npm run -s bench -- comparators --write        docs/comparators.md from what is recorded
 */

import { execFileSync } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type DeviceName, devices, findDevice } from "../src/doors/inside.ts";
import { partition, productsOn, type TeacherName } from "../src/doors/teachers.ts";
import { scoresOf } from "../src/training/scoresOf.ts";
import { commitOf } from "./commit.ts";
import { writeMeasured } from "./comparatorsPage.ts";
import { load } from "./data.ts";

type Published = readonly [acc: number, nmi: number, ari: number];

/** Who, with which options; what papers have of mnist-test (invariance, Table III), and what they chose by labels. */
interface Case {
  readonly teacher: TeacherName;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Whether these options were chosen by labels in a paper. */
  readonly tuned?: boolean;
  readonly called?: string;
  readonly published?: Published;
}

const cases: readonly Case[] = [
  { teacher: "kmeans", published: [56.07, 53.58, 41.54] },
  { teacher: "mixture", called: "GMM" },
  { teacher: "fcm", called: "FCM" },
  { teacher: "fcm", options: { m: 1.1 }, called: "FCM" },
  { teacher: "nmf", called: "NMF" },
  { teacher: "gnmf", called: "GNMF" },
  { teacher: "lccf", called: "NMF-LP", published: [66.48, 46.4, 39.84] },
  { teacher: "lsc-r", called: "LSC-R" },
  { teacher: "lsc-r", options: { nearest: 7 }, tuned: true, called: "LSC-R", published: [59.27, 56.84, 45.75] },
  { teacher: "lsc-k", called: "LSC-K" },
  { teacher: "lsc-k", options: { nearest: 6 }, tuned: true, called: "LSC-K", published: [70.35, 68.98, 58.89] },
  { teacher: "spectral" },
  { teacher: "njw", called: "SC", published: [69.33, 70.97, 59.75] },
  { teacher: "average", called: "ACAL", published: [12.2, 0.81, 0] },
  { teacher: "weighted", called: "ACWL", published: [41.58, 38.96, 26.18] },
  { teacher: "ward", called: "AGG" },
  { teacher: "lsr1", called: "LSR1" },
  { teacher: "lsr1", options: { lambda: 0.8 }, tuned: true, called: "LSR1", published: [43.81, 30.74, 21.92] },
  { teacher: "lsr2", called: "LSR2" },
  { teacher: "lsr2", options: { lambda: 0.6 }, tuned: true, called: "LSR2", published: [41.7, 30.4, 20] },
  { teacher: "lrsc", called: "LRSC", published: [60.21, 53.9, 43.14] },
  { teacher: "lrr", called: "LRR" },
  { teacher: "lrr", options: { lambda: 0.01 }, tuned: true, called: "LRR", published: [59.27, 59.16, 46.29] },
  { teacher: "slrr", called: "SLRR" },
  { teacher: "slrr", options: { lambda: 2.1 }, tuned: true, called: "SLRR" },
  { teacher: "smr", tuned: true, called: "SMR", published: [67.59, 41.33, 36.23] },
  { teacher: "zac", called: "ZAC" },
  { teacher: "zac", options: { neighbours: 60 }, tuned: true, called: "ZAC", published: [60.16, 66.01, 54.3] },
  { teacher: "ssc", called: "SSC", published: [60.96, 64.65, 50.79] },
];

export async function comparators(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string", default: "" },
      only: { type: "string", default: "" },
      device: { type: "string", default: "cpu" },
      minutes: { type: "string", default: "100000" },
      python: { type: "string", default: "" },
      out: { type: "string", default: "bench/results/comparators.jsonl" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.write) return writeMeasured(values.out);
  if (!values.data) throw new Error("bench: say with --data where the data sets are");
  const products = productsOn(await findDevice(devices, values.device as DeviceName));
  const about = { commit: commitOf(), machine: `${cpus().length} × ${cpus()[0]?.model.trim()}` };
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  const known = await readFile(values.out, "utf8").catch(() => "");
  for (const set of ["usps", "mnist-test"]) {
    const wanted = cases
      .map((each) => ({ ...each, cell: cellOf(set, each) }))
      .filter(({ cell }) => cell.includes(values.only) && !known.includes(`"cell":"${cell}"`));
    if (wanted.length === 0 && !values.python) continue;
    const { data, labels, classes } = await load(values.data, set);
    for (const { cell, teacher, options = {}, tuned = false, called, published } of wanted) {
      if (performance.now() > deadline) break;
      const started = performance.now();
      const found = await partition(data, { teacher, clusters: classes, options, multiply: products.multiply });
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      const { accuracy = 0, nmi = 0, ari = 0, pairPrecision = 0 } = scoresOf(labels, found.labels);
      const record = {
        ...{ cell, rows: labels.length, teacher, options, ...(called && { called }), ...(tuned && { tuned }), seed: 1 },
        ...{
          accuracy,
          nmi,
          ari,
          pairPrecision,
          clusters: found.clusters,
          seconds,
          ...(found.notes && { notes: found.notes }),
        },
        ...(set === "mnist-test" && published && { published }),
        ...{ ...about, command: `bench comparators --only ${cell}` },
      };
      await appendFile(values.out, `${JSON.stringify(record)}\n`);
      console.log(
        `${cell.padEnd(34)} ACC ${percent(accuracy)}  NMI ${percent(nmi)}  ARI ${percent(ari)}  ${seconds} s`,
      );
    }
    if (values.python) await peers(values.python, values.data, set, known, values.out);
  }
  await products.close();
}

function cellOf(set: string, { teacher, options = {} }: Case): string {
  return [set, teacher, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join("/");
}

/** The same by scikit-learn and SciPy, where they have it. */
async function peers(python: string, root: string, set: string, known: string, out: string): Promise<void> {
  if (known.includes(`"cell":"${set}/scikit-learn/`)) return;
  const lines = execFileSync(python, ["bench/peers/comparators.py", root, set], { encoding: "utf8" });
  await appendFile(out, lines);
  console.log(lines);
}

function percent(share: number): string {
  return (100 * share).toFixed(1).padStart(5);
}
