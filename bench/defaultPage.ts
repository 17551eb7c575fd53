/** The figures of the whole default in docs/choice.md, as bench/results/default.jsonl has them. */

import { readFile } from "node:fs/promises";
import { deviationOf, grouped, type Line, linesIn, meanOf, medianOf, percent } from "./records.ts";
import { withTable } from "./summary.ts";
import { table } from "./writtenTable.ts";

const page = "docs/choice.md";

/** What is asked of the mean over seeds, in the order of the table. */
const bars: Readonly<Record<string, readonly [title: string, bar: number]>> = {
  "mnist-test": ["test digits", 95.2],
  usps: ["USPS", 94],
  mnist: ["MNIST", 97.2],
  har: ["HAR", 81],
  reuters10k: ["Reuters", 62],
  "20news": ["20news", 46],
};

type Scaling = "raw" | "standardized";

/** Of a table, beside ARI of k-means. */
interface DefaultLine extends Line {
  readonly kmeans?: Readonly<Record<Scaling, number>>;
}

export async function defaultPages(): Promise<Map<string, string>> {
  const lines = await linesIn<DefaultLine>("bench/results/default.jsonl");
  const byData = grouped(lines, ({ data }) => data);
  let text = await readFile(page, "utf8");
  text = withTable(page, text, ["default"], setsTable(byData));
  text = withTable(page, text, ["default on tables"], tablesTable(byData));
  return new Map([[page, text]]);
}

function setsTable(byData: ReadonlyMap<string, readonly DefaultLine[]>): string {
  const rows = Object.entries(bars).map(([data, [title, bar]]) => {
    const lines = [...byData.get(data)!].sort((a, b) => a.seed - b.seed);
    const all = lines.map(({ scores }) => scores.accuracy!);
    const devices = [...grouped(lines, ({ device }) => device!)].sort();
    return [
      title,
      all.map(percent).join(" "),
      `**${percent(meanOf(all))}**`,
      String(bar),
      devices.map(([device, own]) => `${spanOf(own)} ${device === "gpu" ? "GPU" : "CPU"}`).join(", "),
    ];
  });
  return table(["data", "seeds", "mean", "bar", "seconds"], rows);
}

function spanOf(lines: readonly Line[]): string {
  const all = lines.map(({ seconds }) => Math.round(seconds));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** Tables with so many seeds, for which Student's t of the 95 % between both bounds is known. */
const [pairs, t] = [10, 2.262];

function tablesTable(byData: ReadonlyMap<string, readonly DefaultLine[]>): string {
  const rows = [...byData]
    .filter(([, lines]) => lines.length === pairs && lines[0]!.kmeans)
    .map(([name, lines]) => {
      const ari = lines.map(({ scores }) => scores.ari!);
      const beside = (["raw", "standardized"] as const).flatMap((scaling) => {
        const theirs = lines.map(({ kmeans }) => kmeans![scaling]);
        const bound = lowerBound(ari.map((own, i) => own - theirs[i]!));
        return [decimals(meanOf(theirs)), `${bound >= 0.0005 ? "+" : ""}${decimals(bound)}`];
      });
      return [name, decimals(meanOf(ari)), ...beside, medianOf(lines.map(({ seconds }) => seconds)).toFixed(0)];
    });
  const names = ["table", "ARI, ours", "k-means, as they are", "lower bound", "k-means, standardized", "lower bound"];
  return table([...names, "seconds"], rows);
}

function lowerBound(differences: readonly number[]): number {
  return meanOf(differences) - (t * deviationOf(differences)) / Math.sqrt(differences.length);
}

/** .730, −.012 */
function decimals(value: number): string {
  return value
    .toFixed(3)
    .replace(/^-?0\.000$/, ".000")
    .replace(/^(-?)0\./, "$1.")
    .replace("-", "−");
}
