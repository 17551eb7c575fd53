/**
 * Does the outlier score tell rows that are garbage from new rows? Of each table a fifth of the rows is held out; the
 * default is fitted to the others, with `effort: "quick"`, and scores the rows held out and what is made of them:
 *
 *   large     each number times 100              zeros     nothing but 0          missing   nothing but NaN
 *   shuffled  a row's numbers in other columns   other     rows of the next table, as many columns as fit, over again
 *
 * usage: npm run -s bench -- garbage --tables DIR [--data DIR] [--only NAME,NAME] [--seed N]
 *          [--out bench/results/garbage.json]
 * Tables are those of bench/peers/tables.py; with --data, 1,500 rows of `har` are one more. What OUT has is not run
 * again.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Tensor } from "../src/doors/engine.ts";
import { tensor } from "../src/doors/inside.ts";
import { fit } from "../src/doors/node.ts";
import { Moments } from "../src/numerics/moments.ts";
import { quantileOf } from "../src/numerics/quantiles.ts";
import { Random } from "../src/tensor/random.ts";
import { takeRows } from "../src/tensor/tensor.ts";
import { areaUnderCurve } from "../src/training/none.ts";
import { commitOf } from "./commit.ts";
import { load, loadFolder } from "./data.ts";

interface Table {
  readonly name: string;
  readonly rows: Tensor<"float32">;
  readonly classes: number;
}

const share = 0.2;
const mostOfHar = 1500;

export async function garbage(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      tables: { type: "string" },
      data: { type: "string" },
      only: { type: "string", default: "iris,wine,breast-cancer,skewed,mixed" },
      seed: { type: "string", default: "1" },
      out: { type: "string", default: "bench/results/garbage.json" },
    },
  });
  if (!options.tables) throw new Error("bench: say with --tables where the tables are (bench/peers/tables.py)");
  const seed = Number(options.seed);
  const tables = await tablesIn(options.tables, options.only.split(","), options.data, seed);
  const before = JSON.parse(await readFile(options.out, "utf8").catch(() => '{"tables":[]}')) as { tables: Tried[] };
  const found = [...before.tables];
  for (const [at, table] of tables.entries()) {
    if (found.some(({ name }) => name === table.name)) continue;
    const result = await tried(table, tables[(at + 1) % tables.length]!, seed);
    found.push(result);
    console.log(JSON.stringify(result));
    await writeFile(options.out, `${JSON.stringify({ ...means(found), tables: found }, null, 1)}\n`);
  }
}

type Tried = Awaited<ReturnType<typeof tried>>;

/** Over all tables: of each kind, and of all. */
function means(found: readonly Tried[]) {
  const kinds = Object.keys(found[0]!.auroc);
  const mean = (of: (each: Tried) => number): number =>
    round(found.reduce((sum, each) => sum + of(each), 0) / found.length);
  return {
    all: mean(({ auroc }) => kinds.reduce((sum, kind) => sum + auroc[kind]!, 0) / kinds.length),
    overall: Object.fromEntries(kinds.map((kind) => [kind, mean(({ auroc }) => auroc[kind]!)])),
  };
}

async function tablesIn(folder: string, names: readonly string[], data: string | undefined, seed: number) {
  const tables: Table[] = [];
  for (const name of names) {
    const { data: rows, classes } = await loadFolder(join(folder, name));
    tables.push({ name, rows: rows.tensor!, classes });
  }
  if (!data) return tables;
  const { data: har, classes } = await load(data, "har");
  const some = Random.seeded(seed).fork("har").permutation(har.count).subarray(0, mostOfHar);
  return [...tables, { name: "har", rows: takeRows(har.tensor!, some), classes }];
}

async function tried({ name, rows, classes }: Table, other: Table, seed: number) {
  const [n, width] = rows.shape as [number, number];
  const random = Random.seeded(seed).fork(name);
  const order = random.permutation(n);
  const held = takeRows(rows, order.subarray(0, Math.floor(share * n)));
  const learned = takeRows(rows, order.subarray(Math.floor(share * n)));
  const moments = new Moments(width);
  for (let at = 0; at < learned.data.length; at += width) moments.add(learned.data, at);
  const model = await fit(learned, { clusters: classes, effort: "quick", seed, missing: [...moments.mean] });
  const summaries = await model.summarize(learned);
  const scores = async (values: Float32Array): Promise<readonly number[]> => {
    const given = tensor("float32", [values.length / width, width], values);
    return Array.from((await model.assign(given, { summaries })).outliers!);
  };
  const usual = await scores(held.data);
  const kinds = garbageOf(held, other.rows, random);
  const auroc: Record<string, number> = {};
  const medians: Record<string, number> = {};
  for (const [kind, values] of Object.entries(kinds)) {
    const strange = await scores(values);
    const isStrange = [...usual.map(() => false), ...strange.map(() => true)];
    auroc[kind] = round(areaUnderCurve([...usual, ...strange], isStrange));
    medians[kind] = round(quantileOf(Float64Array.from(strange).sort(), 0.5));
  }
  await model.close();
  const beyond = (limit: number): number => round(usual.filter((score) => score > limit).length / usual.length);
  return {
    name,
    seed,
    commit: commitOf(),
    rows: n,
    columns: width,
    other: other.name,
    auroc,
    medians: { "held out": round(quantileOf(Float64Array.from(usual).sort(), 0.5)), ...medians },
    outside: beyond(1),
    farOutside: beyond(3),
  };
}

function garbageOf({ data, shape }: Tensor<"float32">, other: Tensor<"float32">, random: Random) {
  const [n, width] = shape as [number, number];
  const [others, otherWidth] = other.shape as [number, number];
  const places = Array.from({ length: n }, () => random.permutation(width));
  const rows = Array.from({ length: n }, () => random.below(others));
  const each = (value: (row: number, column: number) => number): Float32Array =>
    Float32Array.from({ length: n * width }, (_, at) => value(Math.floor(at / width), at % width));
  return {
    large: each((row, column) => 100 * data[row * width + column]!),
    zeros: each(() => 0),
    missing: each(() => Number.NaN),
    shuffled: each((row, column) => data[row * width + places[row]![column]!]!),
    other: each((row, column) => other.data[rows[row]! * otherWidth + (column % otherWidth)]!),
  };
}

const round = (value: number): number => Number(value.toFixed(4));
