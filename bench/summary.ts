/**
 * The cells of the accuracy benchmark as tables: mean ± deviation over seeds, and the seed that each label-free measure
 * would have kept.
 * usage: npm run -s bench -- summary [--write]      (--write puts the tables into docs/results.md and docs/methods)
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { groupOf } from "./cell.ts";
import { cells } from "./cells.ts";
import { withFigures } from "./quoted.ts";
import { best, bySeeds, deviationOf, grouped, type Line, linesOf, meanOf, percent } from "./records.ts";

/** What the publications report for accuracy, where they report on this data. */
const published: Readonly<Record<string, string>> = {
  "usps/aekm/paper": "72.9",
  "usps/dkm-p/paper": "75.7",
  "usps/dkm-a/paper": "75.5",
  "mnist/tell/practical": "95.2 (best of 5, 3000 epochs)",
  "mnist/tell/paper/raw": "56.2 (best of 5)",
  "mnist/kmeansnet/paper/raw-plusplus": "57.6",
  "mnist/kmeansnet/paper/coupled-raw-plusplus": "57.6",
  "mnist/kmeansnet/paper/raw-kmeans": "58.1",
  "mnist/kmeansnet/paper/coupled-raw-kmeans": "58.1",
  "mnist/kmeansnet/paper/raw-random": "57.3",
  "mnist/kmeansnet/paper/coupled-raw-random": "57.3",
  "mnist/tell/paper/150-epochs-kaiming": "– (in PyTorch, 150 epochs: 81.1)",
  "mnist/kmeansnet/paper": "87.8",
  "mnist/kmeansnet/practical": "93.2",
  "mnist/pcx/paper/tuned-350-epochs": "97.5 (1000 epochs)",
  "mnist/pcx/practical": "97.5 (1000 epochs)",
  "mnist/pcx/practical/dense": "97.5 (1000 epochs)",
  "mnist/dkm-p/paper": "84.0",
  "reuters10k/kmeans/practical": "50.8 (RCV1)",
  "reuters10k/aekm/paper": "56.7 (RCV1)",
  "reuters10k/dkm-p/paper/cosine": "58.3 (RCV1, Euclidean)",
  "reuters10k/pcx-imba/practical": "82.2 (DEC's sample)",
  "reuters10k/homo/practical": "69.5 (DEC's sample)",
  "20news/kmeans/practical": "23.2",
  "20news/aekm/paper": "49.0",
  "20news/dkm-p/paper/cosine": "51.2 (Euclidean)",
  "har/pcx/practical": "87.1",
  "cifar10-test/tell/practical/dense": "25.7 (60,000 images)",
  "cifar10-test/kmeansnet/practical/dense": "20.2 (60,000 images)",
  "cifar10-test/homo/practical/dense": "22.0",
  "mnist-test-centered/aekm/paper/denoising": "72.7",
  "mnist-test-centered/aekm/paper/denoising-kaiming": "72.7",
  "mnist-test-centered/homo/paper/chord": "82.2",
  "mnist-test-centered/hoe/paper/chord": "82.2",
  "mnist-test-centered/hoe/paper/chord-cnn": "91.0",
  "mnist-test-centered/hot/paper/chord": "82.2",
  "mnist-test-centered/hit/paper/chord": "82.2",
};

const page = "docs/results.md";
const methodPages = "docs/methods";

export async function summary(parameters: readonly string[]): Promise<void> {
  for (const [file, text] of await pages()) {
    if (parameters.includes("--write")) await writeFile(file, text);
    else if (file === page) console.log(text.slice(text.indexOf("<!-- tables -->"), text.indexOf("<!-- /tables -->")));
  }
}

/**
 * The pages with their tables as the recorded cells have them now: all in docs/results.md, each method's in its own
 * page.
 */
export async function pages(): Promise<Map<string, string>> {
  const groups = await recorded();
  const bySet = grouped(groups, ({ data }) => data);
  const tables = [...bySet].map(([data, own]) => `### ${data}\n\n${tableOf(own, columns)}`).join("\n\n");
  const withTables = withTable(page, await readFile(page, "utf8"), ["tables"], tables);
  const withKept = withTable(page, withTables, ["kept"], keptTable(groups));
  const found = new Map([[page, withQuoted(withKept, groups)]]);
  for (const name of (await readdir(methodPages)).sort()) {
    const file = join(methodPages, name);
    const text = await readFile(file, "utf8");
    const methods = text.match(/<!-- results of ([\w, -]+?) -->/)?.[1];
    if (!methods) continue;
    const own = groups.filter(({ method }) => methods.split(", ").includes(method));
    const table = tableOf(own, { data: ({ data }) => data, ...columns });
    found.set(file, withTable(file, text, [`results of ${methods}`, "results"], table));
  }
  return found;
}

/** The paragraphs of "What they say" with the figures that the records give. */
function withQuoted(text: string, groups: readonly Group[]): string {
  const [from, to] = [text.indexOf("## What they say"), text.indexOf("## Which restart is kept")];
  const lines = new Map(groups.map(({ name, lines }) => [name, lines]));
  return text.slice(0, from) + withFigures(text.slice(from, to), lines) + text.slice(to);
}

/** The text with another table between its marks. */
export function withTable(
  file: string,
  text: string,
  [begin, end = begin]: readonly [string, string?],
  table: string,
): string {
  const between = new RegExp(`<!-- ${begin} -->[\\s\\S]*<!-- /${end} -->`);
  if (!between.test(text)) throw new Error(`summary: ${file} must have the marks ${begin} and /${end}`);
  return text.replace(between, () => `<!-- ${begin} -->\n\n${table}\n\n<!-- /${end} -->`);
}

/** The seeds of one method on one data set, in one profile and variant. */
interface Group {
  readonly name: string;
  readonly data: string;
  readonly method: string;
  readonly lines: readonly Line[];
}

/** All that was measured, in the order in which the benchmark lists it. */
async function recorded(): Promise<Group[]> {
  const order = new Map(cells.map((cell, at) => [groupOf(cell), at]));
  const place = (name: string): number => order.get(name) ?? cells.length;
  return [...bySeeds(await linesOf())]
    .sort(([one], [other]) => place(one) - place(other) || one.localeCompare(other))
    .map(([name, group]) => {
      const [data, method] = name.split("/") as [string, string];
      return { name, data, method, lines: group };
    });
}

type Columns = Readonly<Record<string, (group: Group) => unknown>>;

const columns: Columns = {
  method: ({ name }) => name.split("/").slice(1).join(" "),
  seeds: ({ lines }) => lines.length,
  "ACC at the start"({ lines }) {
    const starts = lines.flatMap(({ start }) => (start ? [start.accuracy!] : []));
    return starts.length > 0 ? percent(meanOf(starts)) : "–";
  },
  ACC({ lines }) {
    const all = lines.map(({ scores }) => scores.accuracy!);
    return all.length > 1 ? `${percent(meanOf(all))} ± ${percent(deviationOf(all))}` : percent(all[0]!);
  },
  NMI: ({ lines }) => score(lines, "nmi"),
  ARI: ({ lines }) => score(lines, "ari"),
  "kept by loss / silhouette / divergence": ({ lines }) => kept(lines),
  paper: ({ name }) => published[name] ?? "–",
};

function tableOf(groups: readonly Group[], shown: Columns): string {
  if (groups.length === 0) return "Not measured on real data yet.";
  const lineOf = (cells: readonly unknown[]): string => `| ${cells.join(" | ")} |`;
  const names = Object.keys(shown);
  return [
    lineOf(names),
    lineOf(names.map((name) => (name === "data" || name === "method" ? "---" : "--:"))),
    ...groups.map((group) => lineOf(Object.values(shown).map((of) => of(group)))),
  ].join("\n");
}

const measures = ["loss", "silhouette", "divergence"] as const;

/** The accuracy of the seed that each measure ranks first. */
function kept(group: readonly Line[]): string {
  const measured = group.filter(({ measures }) => measures);
  if (measured.length < 2) return "–";
  return measures.map((measure) => percent(best(measured, measure).scores.accuracy!)).join(" / ");
}

/** What each label-free measure gains over the average seed, in points of accuracy, on each data set and on all. */
function keptTable(groups: readonly Group[]): string {
  const compared = groups
    .map(({ data, lines }) => ({ data, lines: lines.filter(({ measures }) => measures) }))
    .filter(({ lines }) => lines.length > 1);
  const row = (name: string, some: readonly { readonly lines: readonly Line[] }[]): string => {
    const gains = measures.map((measure) => {
      const gain = meanOf(
        some.map(
          ({ lines }) => best(lines, measure).scores.accuracy! - meanOf(lines.map(({ scores }) => scores.accuracy!)),
        ),
      );
      return `${gain < 0 ? "−" : "+"}${percent(Math.abs(gain))}`;
    });
    const seeds = some.reduce((sum, { lines }) => sum + lines.length, 0);
    return `| ${[name, some.length, seeds, ...gains].join(" | ")} |`;
  };
  return [
    `| data | rows above | seeds | ${measures.join(" | ")} |`,
    "| --- | --: | --: | --: | --: | --: |",
    ...[...grouped(compared, ({ data }) => data)].map(([data, some]) => row(data, some)),
    row("**all**", compared),
  ].join("\n");
}

function score(group: readonly Line[], name: string): string {
  const values = group.flatMap(({ scores }) => (scores[name] === undefined ? [] : [scores[name]]));
  return values.length > 0 ? percent(meanOf(values)) : "–";
}
