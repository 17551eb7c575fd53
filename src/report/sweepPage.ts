/** A sweep as one HTML file: how many clusters, who finds them, and how far the fits agree. */

import type { ClusterChoice } from "../training/chooseClusters.ts";
import { lineChart } from "./parts/lineChart.ts";
import { html, type Markup, type Part } from "./parts/markup.ts";
import { date, duration, number, percent, quantity } from "./parts/numbers.ts";
import { type Section, sectionMarkup } from "./section.ts";
import { choiceOf } from "./sections/scores.ts";
import { wholePage } from "./wholePage.ts";

/** A method with its options and a number of clusters, over all its seeds. */
export interface SweptSetting {
  readonly method: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly clusters: number;
  readonly seeds: readonly number[];
  /** The share of a row's neighbours that are in its cluster: the mean over seeds, and their deviation. */
  readonly neighbours: number;
  readonly deviation?: number;
  /** How far its seeds agree: the mean ARI over pairs of them. */
  readonly stability?: number;
  /** How far it is behind the best of as many clusters, seed by seed: the mean difference, and its standard error. */
  readonly behind?: { readonly mean: number; readonly error?: number };
  /** Of a fit, on average. */
  readonly seconds: number;
}

export interface SweptFit {
  readonly name: string;
  readonly method: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly clusters: number;
  readonly seed: number;
  readonly neighbours: number;
  /** Of those of the chosen number of clusters: the share of rows that it places as the consensus does. */
  readonly agreement?: number;
  readonly seconds: number;
}

/** What a sweep has found. */
export interface SweepAnswer {
  readonly title: string;
  readonly created: string;
  readonly version: string;
  readonly source: { readonly name: string; readonly rows: number };
  /** The number of clusters that was taken, and where several were tried, why. */
  readonly clusters: number;
  readonly choice?: ClusterChoice;
  /** The fit to use. */
  readonly best: string;
  /** By the number of clusters, and of each the best first. */
  readonly settings: readonly SweptSetting[];
  readonly fits: readonly SweptFit[];
  /** What the fits of that number have in common: how many, and how sure they are of a row on average. */
  readonly consensus: { readonly fits: number; readonly share: number };
  /** Jobs whose runs are not there. */
  readonly missing: readonly string[];
}

const sections: readonly (Omit<Section, "content"> & {
  readonly content: (answer: SweepAnswer) => Markup | undefined;
})[] = [
  { id: "found", name: "Found", title: "What was found", content: found },
  { id: "number", name: "How many", title: "How many clusters", content: howMany },
  { id: "ranking", name: "Ranking", title: "Who finds them", content: ranking },
  { id: "fits", name: "Fits", title: "All fits", content: fits },
];

export function sweepPage(answer: SweepAnswer): string {
  const { source, title, created, version } = answer;
  return wholePage({
    kicker: "Telltale sweep",
    title,
    subtitle: html`${source.name} · ${quantity(source.rows, "row")} · ${quantity(answer.fits.length, "fit")} · ${date(created)}`,
    sections: sections.flatMap((section) => {
      const content = section.content(answer);
      return content ? [{ ...section, markup: sectionMarkup({ ...section, content: () => content }, content) }] : [];
    }),
    version,
  });
}

function found({ clusters, best, fits, consensus, missing }: SweepAnswer): Markup {
  const { method, options, seed, neighbours, agreement } = fits.find(({ name }) => name === best)!;
  return html`<p class="lead">${quantity(clusters, "cluster")}, by ${nameOf({ method, options })} with seed ${seed}: <code>runs/${best}</code>.</p>
<p>${percent(neighbours, 1)} of a row's neighbours are in its cluster. ${
    consensus.fits > 1 &&
    `${quantity(consensus.fits, "fit")} of ${clusters} clusters were put together; of the average row ${percent(consensus.share, 1)} of them say the same, and this one agrees with them on ${percent(agreement ?? 0, 1)} of rows (consensus.csv).`
  }</p>
${
  missing.length > 0 &&
  html`<aside class="notices" aria-label="Worth knowing"><h3>Worth knowing</h3><ul><li>${quantity(missing.length, "job has", "jobs have")} no run: ${missing.slice(0, 20).join(", ")}${missing.length > 20 && " …"}.</li></ul></aside>`
}`;
}

function howMany({ choice, settings, clusters }: SweepAnswer): Markup | undefined {
  const steady = settings.filter(({ stability }) => stability !== undefined);
  if (!choice) return undefined;
  const byMethod = new Map<string, SweptSetting[]>();
  for (const each of steady) byMethod.set(nameOf(each), [...(byMethod.get(nameOf(each)) ?? []), each]);
  const charts = [...byMethod].map(([name, own]) => {
    const points = own.map(({ clusters: k, stability }) => [k, stability!] as const).toSorted(([a], [b]) => a - b);
    const words = `How far the seeds of ${name} agree, for ${points.length} numbers of clusters`;
    return lineChart({ title: name, words, lines: [{ points, kept: true }], across: "clusters", mark: clusters });
  });
  return html`${choiceOf(choice)}
${charts.length > 0 && html`<h3>Whether seeds agree</h3><p>The mean adjusted Rand index over pairs of seeds: 1 where all find the same clusters, 0 where they agree as chance does.</p><div class="curves">${charts}</div>`}`;
}

function ranking({ settings, clusters }: SweepAnswer): Markup {
  const rows = settings.map(
    (setting) =>
      html`<tr><td>${setting.clusters}${setting.clusters === clusters && " ✓"}</td><th scope="row" class="words">${nameOf(setting)}</th><td>${percent(setting.neighbours, 1)}${
        setting.deviation !== undefined && ` ± ${(100 * setting.deviation).toFixed(1)}`
      }</td><td>${behindWords(setting)}</td><td>${setting.stability === undefined ? "–" : number(setting.stability)}</td><td>${setting.seeds.length}</td><td>${duration(setting.seconds)}</td></tr>`,
  );
  return html`<p>Settings of as many clusters are ranked by the share of a row's ten nearest neighbours, in the rows as they are scaled, that are in its cluster, each cluster counting alike. It falls with the number of clusters, so that it compares settings of the same number only. No label is looked at.</p>
<div class="wide"><table class="scores"><thead><tr><th scope="col">Clusters</th><th scope="col" class="words">Setting</th><th scope="col">Neighbours together</th><th scope="col">Behind the best</th><th scope="col">Seeds agree</th><th scope="col">Seeds</th><th scope="col">Time of a fit</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function fits({ fits: all, best }: SweepAnswer): Markup {
  const rows = all.map(
    ({ name, clusters, seed, neighbours, agreement, seconds }) =>
      html`<tr><th scope="row" class="words"><code>${name}</code>${name === best && " ✓"}</th><td>${clusters}</td><td>${seed}</td><td>${percent(neighbours, 1)}</td><td>${agreement === undefined ? "–" : percent(agreement, 1)}</td><td>${duration(seconds)}</td></tr>`,
  );
  return html`<details class="more"><summary>All ${quantity(all.length, "fit")}</summary><div class="wide"><table class="scores"><thead><tr><th scope="col" class="words">Run</th><th scope="col">Clusters</th><th scope="col">Seed</th><th scope="col">Neighbours together</th><th scope="col">As the consensus</th><th scope="col">Time</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

function behindWords({ behind }: SweptSetting): Part {
  if (!behind) return "the best";
  return `${(100 * behind.mean).toFixed(1)}${behind.error === undefined ? "" : ` ± ${(100 * behind.error).toFixed(1)}`} points`;
}

/** telltale, lambda 0.5 */
export function nameOf({ method, options }: Pick<SweptSetting, "method" | "options">): string {
  const own = Object.entries(options).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [method.replace(/^.*[/\\]/, ""), ...own].join(", ");
}
