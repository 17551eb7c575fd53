/** How good the clusters are: the choice of their number, scores without labels, scores with labels. */

import { own } from "../../data/own.ts";
import { innerMetrics, metrics } from "../../metrics/index.ts";
import { type ClusterChoice, strongFrom } from "../../training/chooseClusters.ts";
import { classTable } from "../parts/classTable.ts";
import { lineChart } from "../parts/lineChart.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { number, percent } from "../parts/numbers.ts";
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

/** Which number of clusters was chosen, why, and its picture. */
export function choiceOf(choice: ClusterChoice): Part {
  const { chosen, reason, between, tried } = choice;
  const sorted = [...tried].sort((a, b) => a.clusters - b.clusters);
  const title = between?.[1] === 1 && chosen === 1 ? "One cloud" : `The number of clusters: ${chosen}`;
  return html`<h3>${title}</h3><p>${reason}</p><div class="curves">${
    sorted.some(({ scores }) => own(scores, "predictionStrength") !== undefined)
      ? evidence(sorted, chosen)
      : curves(sorted, chosen)
  }</div>`;
}

/** Prediction strength over the number of clusters, what is asked for, and what a single cloud reaches. */
function evidence(tried: ClusterChoice["tried"], chosen: number): Markup {
  const points = pointsOf(tried, "predictionStrength");
  const bands = tried.flatMap(({ clusters: x, scores }) => {
    const [low, high] = [own(scores, "cloudLow"), own(scores, "cloudHigh")];
    return low === undefined || high === undefined ? [] : [{ x, low, high }];
  });
  const at = points.find(([clusters]) => clusters === chosen)?.[1];
  const words = `Prediction strength for ${points.length} numbers of clusters${at === undefined ? "" : `; ${number(at)} at ${chosen}`}; ${strongFrom} is asked for`;
  return html`${lineChart({
    title: "Prediction strength",
    words,
    lines: [{ points, kept: true }],
    across: "clusters",
    level: strongFrom,
    bands,
    ...(at !== undefined && { mark: chosen }),
  })}<p class="soft">The rows are split into halves, and each is divided by itself. The line is the share of pairs in the weakest cluster that the other half keeps together as well; ${strongFrom} is asked for. ${bands.length > 0 ? "Gray bars are what 90 of 100 single clouds of the same variances reach. " : ""}Clusters are groups where their borders are emptier than their insides, too.</p>`;
}

/** What runs of before have: a curve for each score. */
function curves(tried: ClusterChoice["tried"], chosen: number): Part {
  const scores = [...new Set(tried.flatMap((one) => Object.keys(one.scores)))];
  return scores.map((name) => {
    const points = pointsOf(tried, name);
    const at = points.find(([clusters]) => clusters === chosen)?.[1];
    const title = own(names, name) ?? name;
    const words = `${title} for ${points.length} numbers of clusters${at === undefined ? "" : `; ${number(at)} at ${chosen}`}`;
    return lineChart({ title, words, lines: [{ points, kept: true }], across: "clusters", mark: chosen });
  });
}

function pointsOf(tried: ClusterChoice["tried"], name: string): (readonly [number, number])[] {
  return tried.flatMap(({ clusters, scores }) => {
    const value = own(scores, name);
    return value === undefined ? [] : [[clusters, value] as const];
  });
}
