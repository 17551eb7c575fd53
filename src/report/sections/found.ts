/** What was found, in plain words. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { type Context, drawn, isNamed, link } from "../parts/context.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { count, counted, list, percent } from "../parts/numbers.ts";

export function foundSection(context: Context): Markup {
  const { data } = context;
  return html`<section id="found" aria-labelledby="found-title">
<h2 id="found-title">What was found</h2>
<p class="lead">${lead(context)}</p>
${facts(context)}
${
  data.notices.length > 0 &&
  html`<aside class="notices" aria-label="Worth knowing"><h3>Worth knowing</h3><ul>${data.notices.map(
    (notice) => html`<li>${sentence(notice)}</li>`,
  )}</ul></aside>`
}
</section>`;
}

/** The clusters that have rows. */
function found(context: Context): ClusterSummary[] {
  return context.data.clusters.filter(({ size }) => size > 0);
}

function lead(context: Context): Part {
  const { data, things } = context;
  const [groups, empty] = [found(context), data.clusters.filter(({ size }) => size === 0)];
  const sizes = groups.map(({ size }) => size).sort((a, b) => a - b);
  const rows = counted(data.source.rows, things[0], things[1]);
  const range =
    groups.length > 1
      ? ` The smallest holds ${counted(sizes[0]!, things[0], things[1])}, the largest ${count(sizes.at(-1)!)}.`
      : "";
  const rest = empty.length > 0 ? ` ${emptyWords(empty)}` : "";
  return `${groups.length === 1 ? "One group" : counted(groups.length, "group")} in ${rows}.${range}${rest}`;
}

function emptyWords(empty: readonly ClusterSummary[]): string {
  if (empty.length === 1) return `Cluster ${empty[0]!.cluster} stayed empty.`;
  const shown = empty.slice(0, 8).map(({ cluster }) => String(cluster));
  return `${count(empty.length)} clusters stayed empty: ${list(empty.length > 8 ? [...shown, "others"] : shown)}.`;
}

function facts(context: Context): Part {
  const groups = found(context);
  if (groups.length < 2) return undefined;
  const by = (measure: (cluster: ClusterSummary) => number): ClusterSummary =>
    groups.reduce((best, cluster) => (measure(cluster) > measure(best) ? cluster : best));
  const largest = by(({ size }) => size);
  const clearest = by(({ confidence }) => confidence.mean);
  const vague = by(({ confidence }) => -confidence.mean);
  const things = context.things[1];
  return html`<dl class="facts">
${fact("The largest", largest, context, `${counted(largest.size, context.things[0], things)}, ${percent(largest.share)} of all.`)}
${fact("The clearest", clearest, context, `Its ${things} are placed with ${percent(clearest.confidence.mean)} confidence on average.`)}
${vague !== clearest && fact("The least sure", vague, context, `Here the average is ${percent(vague.confidence.mean)}.`)}
${confused(context, groups)}
</dl>`;
}

function fact(title: string, cluster: ClusterSummary, context: Context, words: string): Markup {
  return html`<div class="fact"><dt>${title}</dt>
<dd>${shown([cluster], context)}<p>${words}</p></dd></div>`;
}

/** Who it is: the picture, or the number with the name. */
function shown(clusters: readonly ClusterSummary[], context: Context): Markup {
  return html`<p class="who">${clusters.map((cluster) => {
    const image = drawn(cluster, context, "");
    return html`<span>${image ?? false}${link(cluster.cluster, context)}${
      isNamed(cluster) && html` <span class="name">${cluster.name}</span>`
    }</span>`;
  })}</p>`;
}

export interface Confusion {
  readonly pair: readonly [ClusterSummary, ClusterSummary];
  /** Of the rows of the first, the share that would go to the second next; and the other way round. */
  readonly shares: readonly [number, number];
  /** The share of the rows of both that one expects on the wrong side. */
  readonly doubt: number;
}

/**
 * The two clusters between which rows are the least sure. A second choice alone is no doubt: each row has one. It counts by how
 * unsure the rows of its cluster are.
 */
export function mostConfused(clusters: readonly ClusterSummary[]): Confusion | undefined {
  const byNumber = new Map(clusters.map((cluster) => [cluster.cluster, cluster]));
  const share = (from: ClusterSummary, to: ClusterSummary): number =>
    from.neighbours.find(({ cluster }) => cluster === to.cluster)?.share ?? 0;
  let best: Confusion | undefined;
  for (const a of clusters) {
    for (const { cluster } of a.neighbours) {
      const b = byNumber.get(cluster);
      if (!b || b === a || a.size + b.size === 0) continue;
      const shares = [share(a, b), share(b, a)] as const;
      const rows = a.size * shares[0] * (1 - a.confidence.mean) + b.size * shares[1] * (1 - b.confidence.mean);
      const doubt = rows / (a.size + b.size);
      if (!best || doubt > best.doubt) best = { pair: [a, b], shares, doubt };
    }
  }
  return best;
}

function confused(context: Context, groups: readonly ClusterSummary[]): Part {
  const found = mostConfused(groups);
  if (!found) return undefined;
  const { pair, shares, doubt } = found;
  const [a, b] = [pair[0].cluster, pair[1].cluster];
  const words =
    doubt < 0.005
      ? "Closest to each other, but hardly any of their rows are in doubt."
      : `${percent(shares[0])} of ${a} would go to ${b} next, and ${percent(shares[1])} of ${b} to ${a}.`;
  return html`<div class="fact"><dt>${doubt < 0.005 ? "Closest to each other" : "Easily confused"}</dt>
<dd>${shown(pair, context)}<p>${words}</p></dd></div>`;
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
