/**
 * Which rule chooses the best teacher without labels? (docs/choice.md has the rules.)
 *
 * Of every data set and seed all candidates make their partitions, and what may be known of them without labels is
 * gathered once (evidence.ts) and kept in CACHE; rules then choose from it (rules.ts), and labels score what they chose.
 *
 * usage: npm run -s bench -- choice --tables DIR [--data DIR --codes DIR] [--cache DIR] [--seeds N] [--only NAME,NAME]
 */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random, type Tensor } from "../../src/doors/engine.ts";
import { decodeNpy, fit, tensor } from "../../src/doors/inside.ts";
import { takeRows } from "../../src/tensor/tensor.ts";
import { type Labelled, load, loadFolder } from "../data.ts";
import { type Candidate, evidenceOf, type SeenRows, standardized } from "./evidence.ts";

/** Of more rows a sample is taken. */
const most = 4000;

export interface Evidence {
  readonly data: string;
  readonly seed: number;
  readonly truth: readonly number[];
  readonly shape: readonly number[];
  readonly candidates: readonly Candidate[];
}

export async function choice(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      tables: { type: "string" },
      data: { type: "string" },
      codes: { type: "string" },
      cache: { type: "string", default: "runs/choice" },
      seeds: { type: "string", default: "3" },
      only: { type: "string", default: "" },
    },
  });
  if (!options.tables) throw new Error("bench: say with --tables where bench/peers/tables.py has written its tables");
  await mkdir(options.cache, { recursive: true });
  const only = options.only.split(",").filter(Boolean);
  for (let seed = 1; seed <= Number(options.seeds); seed++) {
    for (const name of await readdir(options.tables)) {
      if (only.length > 0 && !only.includes(name)) continue;
      const labelled = await loadFolder(join(options.tables, name));
      await gathered(options.cache, name, seed, labelled, (rows) => tableViews(rows, labelled.classes, seed));
    }
    for (const name of options.codes && options.data ? reals : []) {
      if (only.length > 0 && !only.includes(name)) continue;
      const all = await codesOf(options.codes!, name, seed);
      if (!all) continue;
      const labelled = await load(options.data!, name);
      await gathered(options.cache, name, seed, labelled, async (rows, order) => [
        { name: "raw", codes: [rows] },
        { name: "codes", codes: all.map((codes) => takeRows(codes, order)) },
      ]);
    }
  }
}

const reals = ["mnist-test", "usps", "har", "20news", "reuters10k", "mnist"];

async function gathered(
  cache: string,
  data: string,
  seed: number,
  { data: { tensor: all, row }, labels, classes }: Labelled,
  viewsOf: (rows: Tensor<"float32">, order: Int32Array) => Promise<SeenRows[]>,
): Promise<Evidence> {
  const file = join(cache, `${data}-${seed}.json`);
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept) return JSON.parse(kept);
  const began = performance.now();
  const n = labels.length;
  const width = row.reduce((a, b) => a * b, 1);
  const order = Random.seeded(1).fork("sample").permutation(n).slice(0, most).sort();
  const rows = takeRows(tensor("float32", [n, width], all!.data as Float32Array), order);
  const candidates = await evidenceOf(await viewsOf(rows, order), classes, seed);
  const truth = [...order].map((i) => labels[i]!);
  const evidence = { data, seed, truth, shape: rows.shape, candidates };
  await writeFile(file, JSON.stringify(evidence));
  console.log(`${data} ${seed}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return evidence;
}

async function tableViews(rows: Tensor<"float32">, clusters: number, seed: number): Promise<SeenRows[]> {
  const standard = standardized(rows);
  const codes: Tensor<"float32">[] = [];
  for (const which of [0, 1]) {
    const model = await fit(standard, {
      ...{ method: "aekm", clusters, seed: 2 * seed + which, code: "linear", spherical: false, scaling: "none" },
      ...{ pretraining: 30, epochs: 1, network: "fullyConnected", hidden: [128, 128], batch: 64 },
    });
    codes.push(await model.transform(standard));
    await model.close();
  }
  return [
    { name: "raw", codes: [rows] },
    { name: "standard", codes: [standard] },
    { name: "codes", codes },
  ];
}

/** Two pretrainings of several: those of this seed and the next. */
async function codesOf(folder: string, name: string, seed: number): Promise<Tensor<"float32">[] | undefined> {
  const files = (await readdir(folder)).filter((file) => new RegExp(`^${name}-\\d+\\.npy$`).test(file)).sort();
  if (files.length < 2) return undefined;
  const two = [files[(seed - 1) % files.length]!, files[seed % files.length]!];
  return Promise.all(
    two.map(async (file) => (await decodeNpy(await readFile(join(folder, file)))) as Tensor<"float32">),
  );
}
