/**
 * Deep k-Means as its authors tuned it (§4.3): λ by a search from 10⁻⁴ to 10³ on the labels of a tenth of the rows,
 * scored on the others, and Student's t-test against k-means on the same pretrained codes. An experiment: labels choose
 * nothing in Telltale itself.
 *
 * usage: npm run -s bench -- lambdas --data DIR [--set usps] [--method dkm-p] [--seeds 10] [--device cpu|gpu]
 */

import { parseArgs } from "node:util";
import { type DeviceName, devices, findDevice } from "../src/doors/inside.ts";
import { metrics } from "../src/metrics/index.ts";
import { fitting } from "../src/model/fitting.ts";
import { Random } from "../src/tensor/random.ts";
import { load } from "./data.ts";
import { deviationOf, meanOf, percent } from "./records.ts";
import { pairedTest } from "./studentTest.ts";

const exponents = [-4, -3, -2, -1, 0, 1, 2, 3];

export async function lambdas(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      set: { type: "string", default: "usps" },
      method: { type: "string", default: "dkm-p" },
      seeds: { type: "string", default: "10" },
      device: { type: "string", default: "cpu" },
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

  const run = async (method: string, seed: number, own: object, pretrained?: object[]) => {
    const said = {
      ...{ method, profile: "paper" as const, clusters: classes, seed, keepPretrained: true },
      ...(pretrained && { pretrained }),
      options: { ...own, restarts: 1 },
    };
    const training = fitting(data, said as Parameters<typeof fitting>[1], device);
    let step = await training.next();
    while (!step.done) step = await training.next();
    return step.value;
  };

  const seeds = Array.from({ length: Number(options.seeds) }, (_, i) => i + 1);
  const starts: number[] = [];
  const tried = new Map(exponents.map((exponent) => [exponent, { searched: [] as number[], scored: [] as number[] }]));
  for (const seed of seeds) {
    const start = await run("aekm", seed, {});
    starts.push(accuracyOf(start.labels, scored));
    const shared = options.method === "dkm-p" ? (start.pretrained as object[] | undefined) : undefined;
    for (const [exponent, found] of tried) {
      const fit = await run(options.method, seed, { lambda: 10 ** exponent }, shared);
      found.searched.push(accuracyOf(fit.labels, searched));
      found.scored.push(accuracyOf(fit.labels, scored));
      console.log(`seed ${seed}, λ = 10^${exponent}: ${percent(found.searched.at(-1)!)} of the tenth`);
    }
  }
  const [exponent, best] = [...tried].reduce((a, b) => (meanOf(b[1].searched) > meanOf(a[1].searched) ? b : a));
  const shown = (values: readonly number[]): string =>
    `${percent(meanOf(values))}${values.length > 1 ? ` ± ${percent(deviationOf(values))}` : ""}`;
  console.log(`λ = 10^${exponent} by the labels of a tenth: ${shown(best.scored)} of the others`);
  console.log(`AE + k-means: ${shown(starts)}`);
  if (seeds.length > 1) {
    const { t, p } = pairedTest(best.scored, starts);
    console.log(`t = ${t.toFixed(2)}, p = ${p.toPrecision(2)}: ${p > 0.05 ? "no difference at 0.05" : "different"}`);
  }
}

/** A tenth of the rows, drawn once, and the others. */
function split(count: number): { searched: Int32Array; scored: Int32Array } {
  const order = Random.seeded(1).fork("split").permutation(count);
  const tenth = Math.round(count / 10);
  return { searched: order.slice(0, tenth).sort(), scored: order.slice(tenth).sort() };
}
