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
import { shareScale } from "../../src/data/sharedScale.ts";
import { encodeNpy, Random, type Tensor } from "../../src/doors/engine.ts";
import { decodeNpy, fit, tensor } from "../../src/doors/inside.ts";
import { takeRows } from "../../src/tensor/tensor.ts";
import { type Labelled, load, loadFolder } from "../data.ts";
import { type Candidate, evidenceOf, type Halves, halvesOf, type SeenRows, standardized } from "./evidence.ts";

export interface Evidence {
  readonly data: string;
  readonly seed: number;
  readonly truth: readonly number[];
  readonly shape: readonly number[];
  readonly candidates: readonly Candidate[];
  readonly halves: readonly Halves[];
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
      rows: { type: "string", default: "2000" },
      halves: { type: "string", default: "1" },
    },
  });
  if (!options.tables) throw new Error("bench: say with --tables where bench/peers/tables.py has written its tables");
  await mkdir(options.cache, { recursive: true });
  const only = options.only.split(",").filter(Boolean);
  // All that is quick first.
  for (const halves of [false, true]) {
    for (let seed = 1; seed <= Number(halves ? options.halves : options.seeds); seed++) {
      const about = { cache: options.cache, seed, most: Number(options.rows), halves };
      for (const name of options.codes && options.data ? reals : []) {
        if (only.length > 0 && !only.includes(name)) continue;
        const all = await codesOf(options.codes!, name, seed);
        if (!all) continue;
        const labelled = await load(options.data!, name);
        await gathered({ ...about, name }, labelled, async (_, order) => all.map((codes) => takeRows(codes, order)));
      }
      for (const name of await readdir(options.tables)) {
        if (only.length > 0 && !only.includes(name)) continue;
        const labelled = await loadFolder(join(options.tables, name));
        await gathered({ ...about, name }, labelled, (rows) => codesOfTable(rows, labelled.classes, seed));
      }
    }
  }
}

const reals = ["mnist-test", "usps", "har", "20news", "reuters10k", "mnist"];

async function gathered(
  {
    cache,
    name: data,
    seed,
    most,
    halves,
  }: { cache: string; name: string; seed: number; most: number; halves: boolean },
  { data: { tensor: all, row }, labels, classes }: Labelled,
  codesOf: (rows: Tensor<"float32">, order: Int32Array) => Promise<Tensor<"float32">[]>,
): Promise<Evidence> {
  const began = performance.now();
  const n = labels.length;
  const width = row.reduce((a, b) => a * b, 1);
  const order = Random.seeded(1).fork("sample").permutation(n).slice(0, most).sort();
  const rows = takeRows(tensor("float32", [n, width], all!.data as Float32Array), order);
  const viewsOf = async (): Promise<SeenRows[]> => {
    const isShared = sharesScale(rows);
    return [
      { name: "raw", codes: [rows], wanted: isShared },
      ...(width <= 100 || !isShared ? [{ name: "standard", codes: [standardized(rows)], wanted: !isShared }] : []),
      { name: "codes", codes: await kept(join(cache, `${data}-${seed}`), () => codesOf(rows, order)), wanted: true },
    ];
  };
  const file = join(cache, `${data}-${seed}.json`);
  const candidates: Candidate[] = await made(file, async () => evidenceOf(await viewsOf(), classes, seed));
  const half: Halves[] = halves
    ? await made(join(cache, `${data}-${seed}-halves.json`), async () => halvesOf(await viewsOf(), classes, seed))
    : [];
  const seconds = (performance.now() - began) / 1000;
  if (seconds > 1) console.log(`${data} ${seed}${halves ? " halves" : ""}: ${seconds.toFixed(0)} s`);
  return { data, seed, truth: [...order].map((i) => labels[i]!), shape: rows.shape, candidates, halves: half };
}

/** What a file of the cache holds, or else what is made now, and kept there. */
async function made<T>(file: string, make: () => Promise<T>): Promise<T> {
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept) return JSON.parse(kept);
  const value = await make();
  await writeFile(file, JSON.stringify(value));
  return value;
}

/** The same of codes. */
async function kept(stem: string, make: () => Promise<Tensor<"float32">[]>): Promise<Tensor<"float32">[]> {
  const files = [0, 1].map((which) => `${stem}-codes-${which}.npy`);
  const found = await Promise.all(files.map((file) => readFile(file).catch(() => undefined)));
  if (found.every((bytes) => bytes !== undefined)) {
    return Promise.all(found.map(async (bytes) => (await decodeNpy(bytes)) as Tensor<"float32">));
  }
  const codes = await make();
  await Promise.all(files.map((file, which) => writeFile(file, encodeNpy(codes[which]!))));
  return codes;
}

/** Two independent pretrainings of a small network. */
async function codesOfTable(rows: Tensor<"float32">, clusters: number, seed: number): Promise<Tensor<"float32">[]> {
  const scaled = sharesScale(rows) ? oneScale(rows) : standardized(rows);
  const codes: Tensor<"float32">[] = [];
  for (const which of [0, 1]) {
    const model = await fit(scaled, {
      ...{ method: "aekm", clusters, seed: 2 * seed + which, code: "linear", spherical: false, scaling: "none" },
      ...{ pretraining: 30, epochs: 1, network: "fullyConnected", hidden: [128, 128], batch: 64 },
    });
    codes.push(await model.transform(scaled));
    await model.close();
  }
  return codes;
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

function sharesScale({ data, shape }: Tensor<"float32">): boolean {
  const [n, d] = shape as [number, number];
  const [low, high] = [new Float64Array(d).fill(Infinity), new Float64Array(d).fill(-Infinity)];
  for (let at = 0; at < n * d; at++) {
    low[at % d] = Math.min(low[at % d]!, data[at]!);
    high[at % d] = Math.max(high[at % d]!, data[at]!);
  }
  return shareScale(low, high);
}

/** Columns less their means, all by one factor to a mean square of 1. */
function oneScale({ data, shape }: Tensor<"float32">): Tensor<"float32"> {
  const [n, d] = shape as [number, number];
  const means = new Float64Array(d);
  for (let at = 0; at < n * d; at++) means[at % d]! += data[at]! / n;
  const centered = data.map((value, at) => value - means[at % d]!);
  const factor = Math.sqrt((n * d) / centered.reduce((sum, value) => sum + value * value, 0));
  return tensor(
    "float32",
    shape,
    centered.map((value) => value * factor),
  );
}
