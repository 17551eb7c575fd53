/** A card for each cluster: what it is, what sets it apart, who is typical, who is in doubt. */

import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { badge, type Context, drawn, isNamed, link } from "../parts/context.ts";
import { featureTable, profile } from "../parts/featureTable.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { count, counted, percent } from "../parts/numbers.ts";
import { rowsOf } from "../parts/rowTable.ts";

/** More cards than this are closed until someone opens them, and say less. */
const open = 30;

export function cardsSection(context: Context): Markup {
  const { clusters, source } = context.data;
  const folded = clusters.length > open;
  const anyNamed = source.columns.length > 0;
  return html`<section id="clusters" aria-labelledby="clusters-title">
<h2 id="clusters-title">The clusters</h2>
<p>${
    folded ? `${counted(clusters.length, "cluster")}, closed: open one to read it. ` : ""
  }<dfn>Confidence</dfn> is the probability that the model gives to the cluster a row is in.${
    anyNamed &&
    html` <dfn>σ</dfn> is one standard deviation of a column over all rows: a difference of 1 σ is plain to see, one of 0.2 σ is not.`
  }</p>
<div class="cards${folded && " folded"}${anyNamed && " tables"}">${clusters.map((cluster) => card(cluster, context, folded))}</div>
</section>`;
}

function card(cluster: ClusterSummary, context: Context, folded: boolean): Markup {
  const number = cluster.cluster;
  const title = html`${badge(number, context)}<span>${isNamed(cluster) ? cluster.name : `Cluster ${number}`}</span>`;
  const size = html`<span class="size">${counted(cluster.size, ...context.things)} · ${percent(cluster.share)}</span>`;
  const style = html`style="--c:var(--c${context.color(number)})"`;
  if (folded) {
    return html`<details class="card" id="cluster-${number}" ${style}><summary><h3>${title}</h3>${size}</summary>${body(cluster, context, 4)}</details>`;
  }
  return html`<article class="card" id="cluster-${number}" ${style} aria-labelledby="cluster-${number}-title"><header><h3 id="cluster-${number}-title">${title}</h3>${size}
<i class="share" style="--share:${cluster.share.toFixed(4)}" aria-hidden="true"></i></header>${body(cluster, context, 10)}</article>`;
}

/** `rows` at most of each kind. */
function body(cluster: ClusterSummary, context: Context, rows: number): Part {
  if (cluster.size === 0) return html`<p class="soft">No row is in this cluster.</p>`;
  const named = context.data.source.columns.length > 0;
  // A pixel on its own says nothing; a picture says it all.
  const features = !context.pictures && featureTable(cluster, context, named ? 6 : 3);
  const shown = context.pictures ? rows : Math.min(rows, 5);
  return html`<div class="top">${what(cluster, context)}<div class="sure">${certainty(cluster)}${neighbours(cluster, context)}</div></div>
${features}
${rowsOf({ title: "Typical", rows: cluster.typical.slice(0, shown), second: false }, cluster, context)}
${rowsOf({ title: "In doubt", rows: cluster.borderline.slice(0, shown), second: true }, cluster, context)}`;
}

/** The exemplar and who made it. */
function what(cluster: ClusterSummary, context: Context): Part {
  const { cluster: number, exemplarFrom } = cluster;
  const made = exemplarFrom === "decoder" ? "its center, decoded" : `the ${context.things[0]} nearest to its center`;
  const image = drawn(cluster, context, `Exemplar of cluster ${number}: ${made}`);
  if (image) return html`<figure class="exemplar">${image}<figcaption>${made}</figcaption></figure>`;
  if (context.data.source.columns.length > 0) return undefined;
  const line = profile(
    cluster.exemplar,
    `The ${count(cluster.exemplar.length)} numbers of the center of cluster ${number}`,
  );
  return line && html`<figure class="exemplar line">${line}<figcaption>${made}</figcaption></figure>`;
}

/** How sure its rows are, as ten bars. */
function certainty({ cluster, confidence, size }: ClusterSummary): Markup {
  const { histogram, mean } = confidence;
  const most = Math.max(1, ...histogram);
  const above = (histogram.at(-1) ?? 0) / Math.max(1, size);
  const bars = histogram.map((rows, i) => {
    // Whoever is there is seen: a single row has a bar of one unit.
    const height = rows === 0 ? 0 : Math.max(1, (28 * rows) / most);
    return html`<rect x="${i * 10 + 0.5}" y="${(30 - height).toFixed(1)}" width="9" height="${height.toFixed(1)}"/>`;
  });
  const words = `Confidence in cluster ${cluster}: ${percent(mean)} on average; ${percent(above)} of its rows are above 90 %`;
  return html`<figure class="histogram"><svg viewBox="0 0 100 44" role="img" aria-label="${words}"><path class="axis" d="M0 30.5H100"/>${bars}<text x="0" y="42">0</text><text x="100" y="42" text-anchor="end">1</text></svg>
<figcaption>mean confidence <b>${percent(mean)}</b></figcaption></figure>`;
}

function neighbours({ neighbours: next }: ClusterSummary, context: Context): Part {
  const shown = next.filter(({ share }) => share >= 0.005).slice(0, 3);
  if (shown.length === 0) return undefined;
  return html`<p class="next">Next choice: ${shown.map(
    ({ cluster, share }, i) =>
      html`${i > 0 && ", "}<span class="pair">${link(cluster, context)} ${percent(share)}</span>`,
  )}</p>`;
}
