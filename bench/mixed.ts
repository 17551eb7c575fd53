/**
 * Do the clusters of a table of numbers and categories explain both? For each table of bench/peers/mixed.py: the share
 * of the variance of numbers that is between clusters (η²), and the normalized mutual information of clusters and
 * categories (NMI), of each column and on the mean over columns, of the default as people get it, and at the same
 * number of clusters of k-prototypes and of k-means of one-hot columns.
 *
 * usage: python3 bench/peers/mixed.py gather DIR
 *        npm run -s bench -- mixed --data DIR [--only NAME,NAME] [--effort quick] [--clusters K] [--seed S] [--anew]
 *        python3 bench/peers/mixed.py peers DIR
 *        npm run -s bench -- mixed --data DIR --out bench/results/mixed.json      (with the same words: what is fitted
 *        is not fitted again, and fits of other words are refused)
 */

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { fitRun } from "../src/doors/node.ts";
import { nmi } from "../src/metrics/nmi.ts";
import { commitOf } from "./commit.ts";

interface Columns {
  readonly numbers: Readonly<Record<string, readonly number[]>>;
  readonly categories: Readonly<Record<string, readonly number[]>>;
}

/** How a fit was asked for. */
interface Asked {
  readonly effort: string;
  readonly clusters: string;
  readonly seed: string;
}

/** Labels of one table, by who says them. */
interface Labelled {
  readonly asked?: Asked;
  readonly clusters: number;
  readonly labels: Readonly<Record<string, readonly number[]>>;
}

interface Means {
  readonly numbers: number;
  readonly categories: number;
}

/** The same for each column. */
interface Explained extends Means {
  readonly columns: Readonly<Record<string, number>>;
}

const who = ["telltale", "k-prototypes", "one-hot k-means"];

export async function mixed(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string" },
      only: { type: "string", default: "" },
      effort: { type: "string", default: "normal" },
      clusters: { type: "string", default: "auto" },
      seed: { type: "string", default: "1" },
      anew: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const { data, out, effort, clusters, seed } = values;
  const asked = { effort, clusters, seed };
  if (!data) throw new Error("bench: say with --data where the tables of bench/peers/mixed.py are");
  const all = (await readdir(data)).filter((file) => file.endsWith(".csv")).map((file) => file.slice(0, -4));
  const only = values.only.split(",").filter(Boolean);
  const names = (only.length > 0 ? only : all).sort();
  const tables: Record<string, { clusters: number; explained: Record<string, Explained> }> = {};
  for (const name of names) {
    const own = await fitted(data, name, asked, values.anew);
    const peers = await read<Labelled>(join(data, `${name}.peers.json`));
    const labels = peers?.clusters === own.clusters ? { ...own.labels, ...peers.labels } : own.labels;
    const columns = (await read<Columns>(join(data, `${name}.columns.json`)))!;
    const explained = Object.fromEntries(Object.entries(labels).map(([by, each]) => [by, explainedBy(each, columns)]));
    tables[name] = { clusters: own.clusters, explained };
    console.log(name.padEnd(12), String(own.clusters).padStart(2), ...who.map((by) => shown(explained[by])));
  }
  const complete = Object.values(tables).filter(({ explained }) => who.every((by) => explained[by]));
  const mean = Object.fromEntries(who.map((by) => [by, meanOf(complete.map(({ explained }) => explained[by]!))]));
  console.log("mean".padEnd(15), ...who.map((by) => shown(mean[by])));
  if (!out) return;
  const words = Object.entries({ ...asked, ...(only.length > 0 && { only: values.only }) });
  const command = ["bench mixed", ...words.flatMap(([name, value]) => [`--${name}`, value])].join(" ");
  const record = { commit: commitOf(), command, tables, mean };
  await writeFile(out, `${JSON.stringify(record, null, 2)}\n`);
}

/** What the default says, kept beside the table. */
async function fitted(data: string, name: string, asked: Asked, anew: boolean): Promise<Labelled> {
  const { effort, clusters, seed } = asked;
  const kept = join(data, `${name}.default.json`);
  const before = anew ? undefined : await read<Labelled>(kept);
  if (before && isDeepStrictEqual(before.asked, asked)) return before;
  if (before) {
    const how = JSON.stringify(before.asked ?? "before words were kept");
    throw new Error(`bench: ${kept} was fitted otherwise (${how}); say --anew, or the same words`);
  }
  const out = join(data, `${name}.run`);
  // The columns that the peers get, whatever they look like: no label is taken out, no column left out.
  const { numbers, categories } = (await read<Columns>(join(data, `${name}.columns.json`)))!;
  const columns = [...Object.keys(numbers), ...Object.keys(categories)];
  const run = await fitRun(join(data, `${name}.csv`), {
    ...{ out, force: true, map: false, report: false, seed: Number(seed) },
    rows: { columns, id: "none", label: "none" },
    ...(clusters !== "auto" && { clusters: Number(clusters) }),
    ...(effort !== "normal" && { effort: effort as "quick" }),
  });
  const labels = [...(await run.labels())];
  const found = { asked, clusters: new Set(labels).size, labels: { telltale: labels } };
  await writeFile(kept, JSON.stringify(found));
  await rm(out, { recursive: true });
  return found;
}

async function read<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

function explainedBy(labels: readonly number[], { numbers, categories }: Columns): Explained {
  const each = (
    of: Columns["numbers"],
    score: (values: readonly number[], labels: readonly number[]) => number,
  ): Record<string, number> =>
    Object.fromEntries(Object.entries(of).map(([name, values]) => [name, score(values, labels)]));
  const [explainedNumbers, known] = [each(numbers, betweenShare), each(categories, nmi)];
  return {
    numbers: mean(Object.values(explainedNumbers)),
    categories: mean(Object.values(known)),
    columns: { ...explainedNumbers, ...known },
  };
}

/** η² = 1 − Σ (x − mean of its cluster)²/Σ (x − mean)². */
function betweenShare(values: readonly number[], labels: readonly number[]): number {
  const groups = new Map<number, number[]>();
  labels.forEach((label, i) => {
    const group = groups.get(label);
    if (group) group.push(values[i]!);
    else groups.set(label, [values[i]!]);
  });
  const within = [...groups.values()].reduce((sum, group) => sum + squaresOf(group), 0);
  return 1 - within / squaresOf(values);
}

function squaresOf(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanOf(all: readonly Explained[]): Means {
  return {
    numbers: mean(all.map(({ numbers }) => numbers)),
    categories: mean(all.map(({ categories }) => categories)),
  };
}

function shown(explained: Means | undefined): string {
  if (!explained) return "      –      ";
  const { numbers, categories } = explained;
  return `${numbers.toFixed(3)} / ${categories.toFixed(3)}`;
}
