/** How good the clusters are: the choice of their number, scores without labels, scores with labels. */

import { innerMetrics, metrics } from "../../metrics/index.ts";
import type { ClusterChoice } from "../../training/chooseClusters.ts";
import { classTable } from "../parts/classTable.ts";
import { lineChart } from "../parts/lineChart.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { number, percent } from "../parts/numbers.ts";
import { own } from "../parts/own.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

interface About {
  readonly description: string;
  readonly largerIsBetter: boolean;
}

const known: Readonly<Record<string, About>> = {
  ...metrics,
  ...innerMetrics,
  loss: {
    description: "What the method itself made small; it compares restarts of one setting only.",
    largerIsBetter: false,
  },
  divergence: {
    description: "How much two ways of assigning the rows disagree, KL(P₂‖P₁).",
    largerIsBetter: false,
  },
};
const names: Readonly<Record<string, string>> = {
  accuracy: "Accuracy",
  nmi: "NMI",
  nmiGeometric: "NMI, geometric",
  ari: "ARI",
  ami: "AMI",
  homogeneity: "Homogeneity",
  completeness: "Completeness",
  vMeasure: "V-measure",
  purity: "Purity",
  pairPrecision: "Pair precision",
  silhouette: "Silhouette",
  calinskiHarabasz: "Calinski–Harabasz",
  daviesBouldin: "Davies–Bouldin",
  loss: "Loss",
  divergence: "Divergence",
};

export const scores: Section = { id: "scores", name: "Scores", title: "How good the clusters are", content };

function content(view: ReportView): Markup | undefined {
  const { choice, measures, scores } = view.data;
  const any = Object.keys(measures).length > 0;
  if (!choice && !any && !scores) return undefined;
  return html`${choice && choiceOf(choice)}
${any && html`<h3>Without labels</h3><p>These look at the rows alone. They compare runs on the same data; none of them knows what you are looking for.</p>${scoreTable(measures)}`}
${
  scores &&
  html`<h3>Against the labels</h3><p>Labels were given for comparison. Nothing was learned or chosen from them.</p>${scoreTable(scores.metrics)}${classTable(scores, view)}`
}`;
}

function scoreTable(values: Readonly<Record<string, number>>): Markup {
  return html`<div class="wide"><table class="scores"><thead><tr><th scope="col">Score</th><th scope="col">Value</th><th scope="col" class="words">What it says</th></tr></thead><tbody>${Object.entries(
    values,
  ).map(([name, value]) => {
    const about = own(known, name);
    const direction =
      about && !Object.hasOwn(metrics, name)
        ? about.largerIsBetter
          ? " Larger is better."
          : " Smaller is better."
        : "";
    return html`<tr><th scope="row">${own(names, name) ?? name}</th><td>${
      name === "accuracy" || name === "purity" ? percent(value, 1) : number(value)
    }</td><td class="words">${about?.description ?? ""}${direction}</td></tr>`;
  })}</tbody></table></div>`;
}

function choiceOf({ chosen, reason, tried }: ClusterChoice): Part {
  const scores = [...new Set(tried.flatMap((one) => Object.keys(one.scores)))];
  const sorted = [...tried].sort((a, b) => a.clusters - b.clusters);
  return html`<h3>The number of clusters: ${chosen}</h3><p>${reason}</p><div class="curves">${scores.map((name) => {
    const points = sorted.flatMap(({ clusters, scores: values }) => {
      const value = own(values, name);
      return value === undefined ? [] : [[clusters, value] as const];
    });
    const at = points.find(([clusters]) => clusters === chosen)?.[1];
    const title = own(names, name) ?? name;
    const words = `${title} for ${points.length} numbers of clusters${at === undefined ? "" : `; ${number(at)} at ${chosen}`}`;
    return lineChart({ title, words, lines: [{ points, kept: true }], across: "clusters", mark: chosen });
  })}</div>`;
}
