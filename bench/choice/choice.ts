/**
 * Which rule chooses the best teacher without labels? (docs/choice.md has the rules.)
 *
 * Of every data set and seed all candidates make their partitions, and what may be known of them without labels is
 * gathered once (evidence.ts) and kept in CACHE; rules then choose from it (rules.ts), and labels score what they
 * chose (score.ts).
 *
 * CODES holds NAME-1.npy, NAME-2.npy and so on: independent pretrainings of the real sets of bench/data.ts.
 *
 * usage: npm run -s bench -- choice --tables DIR [--data DIR --codes DIR] [--cache DIR] [--seeds N] [--halves N]
 *        [--rows N] [--only NAME,NAME] [--minutes M] [--out FILE]
 */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { shareScale } from "../../src/data/sharedScale.ts";
import { encodeNpy, Random, type Tensor } from "../../src/doors/engine.ts";
import { decodeNpy, fit, tensor } from "../../src/doors/inside.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { chooseTeacher } from "../../src/teachers/choice.ts";
import { takeRows } from "../../src/tensor/tensor.ts";
import { commitOf } from "../commit.ts";
import { type Labelled, load, loadFolder } from "../data.ts";
import { type Candidate, evidenceOf, type Halves, halvesOf, type SeenRows, standardized } from "./evidence.ts";
import { print, scored } from "./score.ts";

/** Rows of more columns than this are not a view of their own. */
const wide = 100;

export interface Evidence {
  readonly data: string;
  readonly seed: number;
  readonly truth: readonly number[];
  readonly shape: readonly number[];
  /** The views that a run would have: columns by the scale that suits them, where they are few, and codes. */
  readonly views: readonly string[];
  readonly candidates: readonly Candidate[];
  readonly halves: readonly Halves[];
  readonly chosen: Chosen;
}

/** What `chooseTeacher` itself takes. */
interface Chosen {
  readonly labels: readonly number[];
  readonly took: string;
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
      minutes: { type: "string", default: "1000" },
      out: { type: "string", default: "bench/results/choice.json" },
    },
  });
  if (!options.tables) throw new Error("bench: say with --tables where bench/peers/tables.py has written its tables");
  await mkdir(options.cache, { recursive: true });
  const only = options.only.split(",").filter(Boolean);
  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  const all = new Map<string, Evidence>();
  // All that is quick first.
  for (const halves of [false, true]) {
    for (let seed = 1; seed <= Number(halves ? options.halves : options.seeds); seed++) {
      for (const { name, labelled, codes } of await dataSets(options.tables, options.data, options.codes, seed)) {
        if (!isWanted(name)) continue;
        const about = { cache: options.cache, name, seed, most: Number(options.rows), halves, deadline };
        const evidence = await gathered(about, await labelled(), codes);
        if (evidence) all.set(`${name} ${seed}`, evidence);
      }
    }
  }
  const result = { commit: commitOf(), command: `bench choice --rows ${options.rows}`, ...scored([...all.values()]) };
  print(result);
  const short = (_: string, value: unknown) => (typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value);
  await writeFile(options.out, `${JSON.stringify(result, short)}\n`);
}

interface DataSet {
  readonly name: string;
  labelled(): Promise<Labelled>;
  /** Two pretrainings of the rows, which are those of this order. */
  codes(rows: Tensor<"float32">, order: Int32Array, classes: number): Promise<Tensor<"float32">[]>;
}

async function dataSets(
  tables: string,
  data: string | undefined,
  codes: string | undefined,
  seed: number,
): Promise<DataSet[]> {
  const files = codes ? await readdir(codes) : [];
  const real = reals.flatMap((name): DataSet[] => {
    const own = files.filter((file) => new RegExp(`^${name}-\\d+\\.npy$`).test(file)).sort();
    if (!data || own.length < 2) return [];
    const two = [own[(seed - 1) % own.length]!, own[seed % own.length]!];
    const read = async (file: string) => (await decodeNpy(await readFile(join(codes!, file)))) as Tensor<"float32">;
    return [
      {
        name,
        labelled: () => load(data, name),
        codes: (_, order) => Promise.all(two.map(async (file) => takeRows(await read(file), order))),
      },
    ];
  });
  const table = (await readdir(tables)).sort().map(
    (name): DataSet => ({
      name,
      labelled: () => loadFolder(join(tables, name)),
      codes: (rows, _, classes) => codesOfTable(rows, classes, seed),
    }),
  );
  return [...real, ...table];
}

const reals = ["mnist-test", "usps", "har", "20news", "reuters10k", "mnist"];

interface Wanted {
  readonly cache: string;
  readonly name: string;
  readonly seed: number;
  readonly most: number;
  readonly halves: boolean;
  readonly deadline: number;
}

/** From the cache, or else made now; after the deadline nothing is made any more. */
async function gathered(
  { cache, name: data, seed, most, halves, deadline }: Wanted,
  { data: { tensor: all, row }, labels, classes }: Labelled,
  codesOf: DataSet["codes"],
): Promise<Evidence | undefined> {
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
      {
        name: "codes",
        codes: await kept(join(cache, `${data}-${seed}`), () => codesOf(rows, order, classes)),
        wanted: true,
      },
    ];
  };
  const file = join(cache, `${data}-${seed}.json`);
  const candidates = await made(file, deadline, async () => evidenceOf(await viewsOf(), classes, seed));
  if (!candidates) return undefined;
  const views = [...(width > wide ? [] : [sharesScale(rows) ? "raw" : "standard"]), "codes"];
  const chosenFile = join(cache, `${data}-${seed}-chosen.json`);
  const seen = async () => (await viewsOf()).filter(({ name }) => views.includes(name));
  const chosen = await made(chosenFile, deadline, async () => chosenFrom(await seen(), classes, seed));
  if (!chosen) return undefined;
  const halvesFile = join(cache, `${data}-${seed}-halves.json`);
  const half = halves && (await made(halvesFile, deadline, async () => halvesOf(await viewsOf(), classes, seed)));
  const seconds = (performance.now() - began) / 1000;
  if (seconds > 1) console.log(`${data} ${seed}${halves ? " halves" : ""}: ${seconds.toFixed(0)} s`);
  const truth = [...order].map((i) => labels[i]!);
  return { data, seed, truth, shape: rows.shape, views, candidates, halves: half || [], chosen };
}

async function chosenFrom(views: readonly SeenRows[], clusters: number, seed: number): Promise<Chosen> {
  const asked = { clusters, random: Random.seeded(seed), pace: paceOf(undefined) };
  const { view, teacher, partition } = await chooseTeacher(views, asked);
  return { labels: [...partition.labels], took: `${views[view]!.name === "codes" ? "codes" : "rows"}/${teacher}` };
}

/** What a file of the cache holds, or else what is made now, and kept there. */
async function made<T>(file: string, deadline: number, make: () => Promise<T>): Promise<T | undefined> {
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept) return JSON.parse(kept);
  if (performance.now() > deadline) return undefined;
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
