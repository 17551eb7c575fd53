/**
 * How good is the default, as people get it, and how long does it take? Each line of OUT is one fit of the method
 * `telltale` with nothing said but the number of clusters: scores against labels that it never sees, seconds, what
 * taught it, and whether its exemplars are true. Beside tables stands k-means of the rows as they are, and
 * standardized. What has its line is not run again.
 *
 * usage: npm run -s bench -- default --data DIR --only NAME,NAME [--seeds 1,2,3] [--device cpu|gpu]
 *          [--set '{"effort":"quick"}'] [--minutes M] [--out bench/results/default.jsonl]
 *        npm run -s bench -- default --tables DIR [--only NAME,NAME] …    (those of bench/peers/tables.py)
 *        npm run -s bench -- default --write         writes the figures of docs/choice.md from what is recorded
 */

import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Tensor } from "../src/doors/engine.ts";
import { tensor } from "../src/doors/inside.ts";
import { fit } from "../src/doors/node.ts";
import { ari } from "../src/metrics/ari.ts";
import type { Model } from "../src/model/model.ts";
import { paceOf } from "../src/numerics/pace.ts";
import { teachers } from "../src/teachers/index.ts";
import { Random } from "../src/tensor/random.ts";
import { scoresOf } from "../src/training/scoresOf.ts";
import { standardized } from "./choice/evidence.ts";
import { commitOf } from "./commit.ts";
import { type Labelled, load, loadFolder } from "./data.ts";
import { defaultPages } from "./defaultPage.ts";

export async function defaults(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      tables: { type: "string" },
      only: { type: "string", default: "" },
      seeds: { type: "string", default: "1,2,3,4,5" },
      device: { type: "string", default: "cpu" },
      set: { type: "string", default: "{}" },
      minutes: { type: "string", default: "1000" },
      out: { type: "string", default: "bench/results/default.jsonl" },
      write: { type: "boolean", default: false },
    },
  });
  if (options.write) {
    for (const [file, text] of await defaultPages()) await writeFile(file, text);
    return;
  }
  const { data, tables, device } = options;
  const only = options.only.split(",").filter(Boolean);
  const names = tables && only.length === 0 ? (await readdir(tables)).sort() : only;
  if ((!data && !tables) || names.length === 0) {
    throw new Error("bench: say with --data and --only, or with --tables, which data the default is tried on");
  }
  const set = JSON.parse(options.set) as Record<string, unknown>;
  const deadline = performance.now() + 60_000 * Number(options.minutes);
  for (const name of names) {
    const labelled = await (tables ? loadFolder(join(tables, name)) : load(data!, name));
    for (const seed of options.seeds.split(",").map(Number)) {
      if (performance.now() > deadline) return;
      const cell = [name, ...(set.effort ? [set.effort] : []), seed].join("/");
      if ((await readFile(options.out, "utf8").catch(() => "")).includes(`"cell":"${cell}"`)) continue;
      const found = await fitted(labelled, { seed, device, ...set });
      const plain = tables ? await plainly(labelled, seed) : {};
      const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} processors`;
      const about = { device, machine, commit: commitOf(), command: `bench default --only ${name} --seeds ${seed}` };
      await appendFile(
        options.out,
        `${JSON.stringify({ cell, data: name, seed, set, ...found, ...plain, ...about })}\n`,
      );
      const { scores, seconds, taught, exemplars } = found;
      console.log(
        `${cell.padEnd(24)} ACC ${(100 * scores.accuracy!).toFixed(1)}  ARI ${scores.ari!.toFixed(3)}  ` +
          `${seconds} s  ${taught.teacher} of ${taught.view}${taught.network === "none" ? ", no network" : ""}  ` +
          `cosine ${exemplars.cosine.toFixed(3)}, ${exemplars.back} of ${exemplars.of} lead back  ` +
          `ECE ${taught.held?.calibration.toFixed(3)}`,
      );
    }
  }
}

async function fitted({ data, labels, classes }: Labelled, said: Readonly<Record<string, unknown>>) {
  const started = performance.now();
  const model = await fit(data, { ...said, clusters: classes });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const { tried: _, ...taught } = model.fit.taught!;
  const found = {
    scores: scoresOf(labels, model.labels),
    seconds,
    phases: secondsOf(model),
    taught,
    options: { ...model.plan.options },
    exemplars: await exemplarsOf(model, data),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
  await model.close();
  return found;
}

/** Seconds of each phase. */
function secondsOf({ fit: { history } }: Model): Record<string, number> {
  const phases: Record<string, number> = {};
  for (const { phase, seconds } of history) phases[phase] = Math.round(10 * ((phases[phase] ?? 0) + seconds)) / 10;
  return phases;
}

/** How near Ωⱼ is to the mean of its members, the least of all clusters; and of how many encode(decode(Ωⱼ)) is j. */
async function exemplarsOf(model: Model, data: Labelled["data"]) {
  const [centers, codes] = [await model.centers(), await model.transform(data)];
  const [k, d] = centers.shape as [number, number];
  const sums = new Float64Array(k * d);
  model.labels.forEach((label, i) => {
    for (let c = 0; c < d; c++) sums[label * d + c]! += codes.data[i * d + c]!;
  });
  const row = (of: ArrayLike<number>, j: number): number[] => Array.from({ length: d }, (_, c) => of[j * d + c]!);
  const cosines = Array.from({ length: k }, (_, j) => cosine(row(centers.data, j), row(sums, j)));
  const decoded = await model.exemplars();
  const back = decoded ? await model.predict(decoded) : undefined;
  return { cosine: Math.min(...cosines), ...(back && { back: back.filter((label, j) => label === j).length }), of: k };
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const product = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, c) => sum + value * y[c]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** ARI of k-means, ten starts. */
async function plainly({ data, labels, classes: clusters }: Labelled, seed: number) {
  const shape = [labels.length, data.row.reduce((a, b) => a * b, 1)];
  const rows = tensor("float32", shape, data.tensor!.data as Float32Array);
  const ariOf = async (of: Tensor<"float32">): Promise<number> => {
    const lesson = { clusters, random: Random.seeded(seed), pace: paceOf(undefined) };
    return ari(labels, (await teachers.kmeans.teach(of, lesson)).labels);
  };
  return { kmeans: { raw: await ariOf(rows), standardized: await ariOf(standardized(rows)) } };
}
