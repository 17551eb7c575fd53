/**
 * The cells of the accuracy benchmark as tables: mean ± deviation over seeds, and the seed that each label-free measure would have kept.
 * usage: npm run -s bench -- summary [--write]      (--write puts the tables into docs/results.md)
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Line {
  readonly cell: string;
  readonly data: string;
  readonly seed: number;
  readonly start?: Readonly<Record<string, number>>;
  readonly scores: Readonly<Record<string, number>>;
  readonly measures?: Readonly<Record<"loss" | "silhouette" | "divergence", number>>;
  readonly epochs?: number;
  readonly seconds: number;
}

/** What the publications report for accuracy, where they report on this data. */
const published: Readonly<Record<string, string>> = {
  "usps/aekm/paper": "72.9",
  "usps/dkm-p/paper": "75.7",
  "usps/dkm-a/paper": "75.5",
  "mnist/tell/practical": "95.2 (best of 5, 3000 epochs)",
  "mnist/tell/paper/raw": "56.2 (best of 5)",
  "mnist/kmeansnet/paper/raw-plusplus": "57.6",
  "mnist/kmeansnet/paper/raw-kmeans": "58.1",
  "mnist/kmeansnet/paper/raw-random": "57.3",
  "mnist/tell/paper/150-epochs": "81.1 (our PyTorch, 150 epochs)",
  "mnist/kmeansnet/paper": "87.8",
  "mnist/kmeansnet/practical": "93.2",
  "mnist/pcx/paper/350-epochs": "97.5 (1000 epochs)",
  "mnist/pcx/practical": "97.5 (1000 epochs)",
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
  "cifar10-test/tell/practical": "25.7 (60,000 images)",
  "cifar10-test/kmeansnet/practical": "20.2 (60,000 images)",
  "cifar10-test/homo/practical": "22.0",
  "mnist-test-centered/aekm/paper/denoising": "72.7",
  "mnist-test-centered/homo/paper": "82.2",
  "mnist-test-centered/hoe/paper": "82.2",
  "mnist-test-centered/hot/paper": "82.2",
  "mnist-test-centered/hit/paper": "82.2",
};

const results = "bench/results/accuracy";
const page = "docs/results.md";

export async function summary(parameters: readonly string[]): Promise<void> {
  const files = (await readdir(results)).filter((name) => name.endsWith(".jsonl")).sort();
  const tables: string[] = [];
  for (const file of files) {
    const text = await readFile(join(results, file), "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    tables.push(`### ${file.replace(".jsonl", "")}\n\n${tableOf(lines)}`);
  }
  const all = tables.join("\n\n");
  if (!parameters.includes("--write")) return console.log(all);
  const before = await readFile(page, "utf8");
  const between = /<!-- tables -->[\s\S]*<!-- \/tables -->/;
  await writeFile(
    page,
    before.replace(between, () => `<!-- tables -->\n\n${all}\n\n<!-- /tables -->`),
  );
}

function tableOf(lines: readonly Line[]): string {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const name = line.cell.replace(/\/\d+$/, "");
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }
  const rows = [...groups].map(([name, group]) => {
    const accuracies = group.map(({ scores }) => scores.accuracy!);
    const starts = group.flatMap(({ start }) => (start ? [start.accuracy!] : []));
    return [
      name.split("/").slice(1).join(" "),
      group.length,
      starts.length > 0 ? percent(meanOf(starts)) : "–",
      accuracies.length > 1
        ? `${percent(meanOf(accuracies))} ± ${percent(deviationOf(accuracies))}`
        : percent(accuracies[0]!),
      score(group, "nmi"),
      score(group, "ari"),
      kept(group),
      published[name] ?? "–",
    ];
  });
  const head = [
    "method",
    "seeds",
    "ACC at the start",
    "ACC",
    "NMI",
    "ARI",
    "kept by loss / silhouette / divergence",
    "paper",
  ];
  const lineOf = (cells: readonly unknown[]): string => `| ${cells.join(" | ")} |`;
  return [lineOf(head), lineOf(head.map((_, i) => (i === 0 ? "---" : "--:"))), ...rows.map(lineOf)].join("\n");
}

/** The accuracy of the seed that each measure ranks first. */
function kept(group: readonly Line[]): string {
  const measured = group.filter(({ measures }) => measures);
  if (measured.length < 2) return "–";
  const best = (value: (line: Line) => number): string =>
    percent(measured.reduce((a, b) => (value(b) > value(a) ? b : a)).scores.accuracy!);
  return [
    best(({ measures }) => -measures!.loss),
    best(({ measures }) => measures!.silhouette),
    best(({ measures }) => -measures!.divergence),
  ].join(" / ");
}

function score(group: readonly Line[], name: string): string {
  const values = group.flatMap(({ scores }) => (scores[name] === undefined ? [] : [scores[name]]));
  return values.length > 0 ? percent(meanOf(values)) : "–";
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

const percent = (share: number): string => (100 * share).toFixed(1);
