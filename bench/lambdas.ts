/**
 * Deep k-Means as its authors tuned it (§4.3): λ by a search from 10⁻⁴ to 10³ on the labels of a tenth of the rows,
 * scored on the others, and Student's t-test against k-means on the same pretrained codes. An experiment: labels choose
 * nothing in Telltale itself.
 *
 * Each training is a line of OUT; one that has its line is not run again.
 *
 * usage: npm run -s bench -- lambdas --data DIR [--set usps] [--method dkm-p] [--seeds 10] [--device cpu|gpu]
 *          [--pretraining E] [--epochs E] [--out bench/results/lambdas.jsonl]
 */

import { parseArgs } from "node:util";
import { type DeviceName, devices, findDevice } from "../src/doors/inside.ts";
import { metrics } from "../src/metrics/index.ts";
import { fitting } from "../src/model/fitting.ts";
import { Random } from "../src/tensor/random.ts";
import { commitOf } from "./commit.ts";
import { load } from "./data.ts";
import { deviationOf, keep, linesIn, meanOf, percent } from "./records.ts";
import { pairedTest, type Tested } from "./studentTest.ts";

const exponents = [-4, -3, -2, -1, 0, 1, 2, 3];

export const lambdasFile = "bench/results/lambdas.jsonl";

/** A training: with λ = 10^exponent, or of the autoencoder alone, whose codes k-means divides. */
export interface Training {
  /** The data, and what of the profile was said otherwise. */
  readonly search: string;
  readonly method: string;
  readonly seed: number;
  readonly exponent?: number;
  /** Accuracy on the tenth, and on the others. */
  readonly searched: number;
  readonly scored: number;
}

/** What a search has found: λ by the mean over seeds on the tenth, and how the others fare with it. */
export interface Found extends Pick<Training, "search" | "method"> {
  readonly exponent: number;
  readonly scored: readonly number[];
  readonly kmeans: readonly number[];
  /** None of a single seed. */
  readonly test?: Tested;
}

/** Of seeds that have been run with every λ. */
export function foundIn(lines: readonly Training[], search: string, method: string): Found | undefined {
  const of = (exponent: number | undefined, seed: number) =>
    lines.find(
      (line) =>
        line.search === search &&
        line.seed === seed &&
        line.exponent === exponent &&
        line.method === (exponent === undefined ? "aekm" : method),
    );
  const all = [...new Set(lines.map(({ seed }) => seed))].sort((a, b) => a - b);
  const seeds = all.filter((seed) => [undefined, ...exponents].every((exponent) => of(exponent, seed)));
  if (seeds.length === 0) return undefined;
  const searched = (exponent: number) => meanOf(seeds.map((seed) => of(exponent, seed)!.searched));
  const exponent = exponents.reduce((a, b) => (searched(b) > searched(a) ? b : a));
  const scored = seeds.map((seed) => of(exponent, seed)!.scored);
  const kmeans = seeds.map((seed) => of(undefined, seed)!.scored);
  return { search, method, exponent, scored, kmeans, ...(seeds.length > 1 && { test: pairedTest(scored, kmeans) }) };
}

/** Mean ± deviation, in percent. */
export function shown(values: readonly number[]): string {
  return `${percent(meanOf(values))}${values.length > 1 ? ` ± ${percent(deviationOf(values))}` : ""}`;
}

export async function lambdas(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      set: { type: "string", default: "usps" },
      method: { type: "string", default: "dkm-p" },
      seeds: { type: "string", default: "10" },
      device: { type: "string", default: "cpu" },
      pretraining: { type: "string" },
      epochs: { type: "string" },
      out: { type: "string", default: lambdasFile },
    },
  });
  if (!options.data) throw new Error("bench: say with --data where the data sets are");
  const device = await findDevice(devices, options.device as DeviceName);
  const { data, labels, classes } = await load(options.data, options.set);
  const { searched, scored } = split(labels.length);
  const accuracyOf = (found: Int32Array, rows: Int32Array): number =>
    metrics.accuracy.score(
      rows.map((row) => labels[row]!),
      rows.map((row) => found[row]!),
    );
  const { set, method, pretraining, epochs } = options;
  const otherwise = [...(pretraining ? ["--pretraining", pretraining] : []), ...(epochs ? ["--epochs", epochs] : [])];
  const search = [set, ...otherwise].join(" ");
  const command = ["bench lambdas --set", set, "--method", method, "--seeds", options.seeds, ...otherwise].join(" ");
  const about = { device: device.name, commit: commitOf(), command: `${command} --device ${device.name}` };
  const lines = await linesIn<Training>(options.out);

  for (let seed = 1; seed <= Number(options.seeds); seed++) {
    // From one pretraining, whoever makes it.
    let pretrained: readonly object[] | undefined;
    for (const exponent of [undefined, ...exponents]) {
      const who = exponent === undefined ? "aekm" : method;
      const isDone = lines.some(
        (line) => line.search === search && line.seed === seed && line.method === who && line.exponent === exponent,
      );
      if (isDone) continue;
      const started = performance.now();
      const own = {
        ...(exponent !== undefined && { lambda: 10 ** exponent }),
        ...(exponent !== undefined && epochs !== undefined && { epochs: Number(epochs) }),
        ...(pretraining !== undefined && who !== "dkm-a" && { pretraining: Number(pretraining) }),
      };
      const said = {
        ...{ method: who, profile: "paper" as const, clusters: classes, seed, keepPretrained: true },
        ...(pretrained && who !== "dkm-a" && { pretrained }),
        options: { ...own, restarts: 1 },
      };
      const training = fitting(data, said as Parameters<typeof fitting>[1], device);
      let step = await training.next();
      while (!step.done) step = await training.next();
      const fit = step.value;
      pretrained ??= fit.pretrained as readonly object[] | undefined;
      const line = {
        ...{ search, method: who, seed, ...(exponent !== undefined && { exponent }) },
        ...{ searched: accuracyOf(fit.labels, searched), scored: accuracyOf(fit.labels, scored) },
        seconds: Math.round((performance.now() - started) / 100) / 10,
        ...about,
      };
      await keep(options.out, line);
      lines.push(line);
      const what = exponent === undefined ? "AE + k-means" : `λ = 10^${exponent}`;
      console.log(`seed ${seed}, ${what}: ${percent(line.searched)} of the tenth`);
    }
  }
  const found = foundIn(lines, search, method);
  if (!found) return;
  console.log(`λ = 10^${found.exponent} by the labels of a tenth: ${shown(found.scored)} of the others`);
  console.log(`AE + k-means: ${shown(found.kmeans)}`);
  if (found.test) {
    const { t, p } = found.test;
    console.log(`t = ${t.toFixed(2)}, p = ${p.toPrecision(2)}: ${p > 0.05 ? "no difference at 0.05" : "different"}`);
  }
}

/** A tenth of the rows, drawn once, and the others. */
function split(count: number): { searched: Int32Array; scored: Int32Array } {
  const order = Random.seeded(1).fork("split").permutation(count);
  const tenth = Math.round(count / 10);
  return { searched: order.slice(0, tenth).sort(), scored: order.slice(tenth).sort() };
}
