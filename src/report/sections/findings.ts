/** What was found, in plain words. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { clusterLink, exemplarPicture, hasOwnName } from "../parts/clusterMarks.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { mostConfused } from "../parts/mostConfused.ts";
import { list, percent, quantity, thousands } from "../parts/numbers.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

export const findings: Section = { id: "found", name: "Found", title: "What was found", content };

function content(view: ReportView): Markup {
  const { data } = view;
  return html`<p class="lead">${lead(view)}</p>
${facts(view)}
${
  data.notices.length > 0 &&
  html`<aside class="notices" aria-label="Worth knowing"><h3>Worth knowing</h3><ul>${data.notices.map(
    (notice) => html`<li>${sentence(notice)}</li>`,
  )}</ul></aside>`
}`;
}

/** The clusters that have rows. */
function groupsOf(view: ReportView): ClusterSummary[] {
  return view.data.clusters.filter(({ size }) => size > 0);
}

function lead(view: ReportView): Part {
  const { data, rowWords } = view;
  const [groups, empty] = [groupsOf(view), data.clusters.filter(({ size }) => size === 0)];
  const sizes = groups.map(({ size }) => size).sort((a, b) => a - b);
  const rows = quantity(data.source.rows, ...rowWords);
  const range =
    groups.length > 1
      ? ` The smallest holds ${quantity(sizes[0]!, ...rowWords)}, the largest ${thousands(sizes.at(-1)!)}.`
      : "";
  const rest = empty.length > 0 ? ` ${emptyWords(empty)}` : "";
  return `${groups.length === 1 ? "One group" : quantity(groups.length, "group")} in ${rows}.${range}${rest}`;
}

function emptyWords(empty: readonly ClusterSummary[]): string {
  if (empty.length === 1) return `Cluster ${empty[0]!.cluster} stayed empty.`;
  const shown = empty.slice(0, 8).map(({ cluster }) => String(cluster));
  return `${thousands(empty.length)} clusters stayed empty: ${list(empty.length > 8 ? [...shown, "others"] : shown)}.`;
}

function facts(view: ReportView): Part {
  const groups = groupsOf(view);
  if (groups.length < 2) return undefined;
  const by = (measure: (cluster: ClusterSummary) => number): ClusterSummary =>
    groups.reduce((best, cluster) => (measure(cluster) > measure(best) ? cluster : best));
  const largest = by(({ size }) => size);
  const clearest = by(({ confidence }) => confidence.mean);
  const vague = by(({ confidence }) => -confidence.mean);
  const [, rows] = view.rowWords;
  return html`<dl class="facts">
${fact("The largest", largest, view, `${quantity(largest.size, ...view.rowWords)}, ${percent(largest.share)} of all.`)}
${fact("The clearest", clearest, view, `Its ${rows} are placed with ${percent(clearest.confidence.mean)} confidence on average.`)}
${vague !== clearest && fact("The least sure", vague, view, `Here the average is ${percent(vague.confidence.mean)}.`)}
${confusedPair(view, groups)}
</dl>`;
}

function fact(title: string, cluster: ClusterSummary, view: ReportView, words: string): Markup {
  return html`<div class="fact"><dt>${title}</dt>
<dd>${who([cluster], view)}<p>${words}</p></dd></div>`;
}

/** Who it is: the picture, or the number with the name. */
function who(clusters: readonly ClusterSummary[], view: ReportView): Markup {
  return html`<p class="who">${clusters.map((cluster) => {
    const image = exemplarPicture(cluster, view, "");
    return html`<span>${image ?? false}${clusterLink(cluster.cluster, view)}${
      hasOwnName(cluster) && html` <span class="name">${cluster.name}</span>`
    }</span>`;
  })}</p>`;
}

function confusedPair(view: ReportView, groups: readonly ClusterSummary[]): Part {
  const found = mostConfused(groups);
  if (!found) return undefined;
  const { pair, shares, doubt } = found;
  const [a, b] = [pair[0].cluster, pair[1].cluster];
  const words =
    doubt < 0.005
      ? "Closest to each other, but hardly any of their rows are in doubt."
      : `${percent(shares[0])} of ${a} would go to ${b} next, and ${percent(shares[1])} of ${b} to ${a}.`;
  return html`<div class="fact"><dt>${doubt < 0.005 ? "Closest to each other" : "Easily confused"}</dt>
<dd>${who(pair, view)}<p>${words}</p></dd></div>`;
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
