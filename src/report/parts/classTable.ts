/** Classes against clusters, in an order in which the diagonal is full. */

import { leastCostAssignment } from "../../numerics/leastCostAssignment.ts";
import type { ReportData } from "../reportData.ts";
import type { ReportView } from "../reportView.ts";
import { clusterLink, exemplarPicture } from "./clusterMarks.ts";
import { html, type Markup, type Part } from "./markup.ts";
import { percent, thousands } from "./numbers.ts";

type Scores = NonNullable<ReportData["scores"]>;

/** A table of more cells than this is no picture any more; clusters are then listed with their most frequent class. */
const readable = 2500;

export function classTable({ classes, table }: Scores, view: ReportView): Part {
  const clusters = view.data.clusters.map(({ cluster }) => cluster);
  if (classes.length === 0 || clusters.length === 0) return undefined;
  if (classes.length * clusters.length > readable) return mostFrequent(classes, table, view);
  const order = columnOrder(table, clusters);
  return html`<div class="wide"><table class="confusion"><caption>How many ${
    view.rowWords[1]
  } of each class are in each cluster. The stronger the shade, the larger the share of the class.</caption>
<thead><tr><th scope="col">class</th>${order.map((cluster) => header(cluster, view))}</tr></thead>
<tbody>${classes.map((name, i) => {
    const counts = table[i] ?? [];
    const sum = counts.reduce((a, b) => a + b, 0) || 1;
    return html`<tr><th scope="row">${name}</th>${order.map((cluster) => cell(counts[cluster] ?? 0, sum))}</tr>`;
  })}</tbody></table></div>`;
}

function header(cluster: number, view: ReportView): Markup {
  const summary = view.clusterOf.get(cluster);
  const image = summary && view.data.clusters.length <= 30 && exemplarPicture(summary, view, "", 32);
  return html`<th scope="col">${image}${clusterLink(cluster, view)}</th>`;
}

function cell(rows: number, sum: number): Markup {
  return html`<td${rows === 0 && html` class="none"`} style="--share:${(rows / sum).toFixed(3)}">${thousands(rows)}</td>`;
}

/** Clusters so that the i-th belongs to the i-th class, as well as possible; those that are left over come last. */
export function columnOrder(table: readonly (readonly number[])[], clusters: readonly number[]): number[] {
  const rows = table.length;
  const costs = table.flatMap((counts) => clusters.map((cluster) => -(counts[cluster] ?? 0)));
  const columnOf = leastCostAssignment(costs, rows, clusters.length);
  const matched = new Map(Array.from(columnOf, (column, row) => [column, row]));
  return clusters
    .map((cluster, column) => ({ cluster, at: matched.get(column) ?? rows + column }))
    .sort((a, b) => a.at - b.at)
    .map(({ cluster }) => cluster);
}

function mostFrequent(classes: readonly string[], table: Scores["table"], view: ReportView): Markup {
  const rows = view.data.clusters.map(({ cluster, size }) => {
    const counts = table.map((ofClass) => ofClass[cluster] ?? 0);
    const most = counts.reduce((best, rows, i) => (rows > counts[best]! ? i : best), 0);
    return html`<tr><th scope="row">${clusterLink(cluster, view)}</th><td>${thousands(size)}</td><td class="words">${
      size === 0 ? "–" : classes[most]
    }</td><td>${size === 0 ? "–" : percent(counts[most]! / size)}</td></tr>`;
  });
  return html`<details class="more"><summary>The most frequent class of each cluster</summary><div class="wide"><table><thead><tr><th scope="col">Cluster</th><th scope="col">${
    view.rowWords[1]
  }</th><th scope="col" class="words">Class</th><th scope="col">Share</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
