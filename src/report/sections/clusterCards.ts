/** A card for each cluster: what it is, what sets it apart, who is typical, who is in doubt. */

import { notUsed } from "../../explain/beside/besideWords.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { attentionTable } from "../parts/attentionTable.ts";
import { besideTable } from "../parts/besideTable.ts";
import { clusterBadge, clusterLink, exemplarPicture, hasOwnName } from "../parts/clusterMarks.ts";
import { featureTable, meanTable } from "../parts/featureTable.ts";
import { breakable, html, type Markup, type Part } from "../parts/markup.ts";
import { percent, quantity, thousands } from "../parts/numbers.ts";
import { rowProfile } from "../parts/rowProfile.ts";
import { shownRows } from "../parts/shownRows.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

/** More cards than this are closed until someone opens them, and say less. */
const mostOpen = 30;

export const clusterCards: Section = { id: "clusters", name: "Clusters", title: "The clusters", content };

function content(view: ReportView): Markup {
  const { clusters, source } = view.data;
  const folded = clusters.length > mostOpen;
  const anyNamed = source.columns.length > 0;
  const anyFilled = clusters.some(({ typical, borderline }) =>
    [...typical, ...borderline].some(({ filled = [] }) => filled.length > 0),
  );
  return html`<p>${
    folded ? `${quantity(clusters.length, "cluster")}, closed: open one to read it. ` : ""
  }<dfn>Confidence</dfn> is the probability that the model gives to the cluster a row is in.${
    anyNamed &&
    html` <dfn>σ</dfn> is one standard deviation of a column over all rows: a difference of 1 σ is plain to see, one of 0.2 σ is not.`
  }${anyFilled && " * marks a value that the file does not have: the mean of the column stands for it."}</p>
<div class="cards${folded && " folded"}${anyNamed && " tables"}">${clusters.map((cluster) => card(cluster, view, folded))}</div>`;
}

function card(cluster: ClusterSummary, view: ReportView, folded: boolean): Markup {
  const number = cluster.cluster;
  const title = html`${clusterBadge(number, view)}<span>${hasOwnName(cluster) ? cluster.name : `Cluster ${number}`}</span>`;
  const size = html`<span class="size">${quantity(cluster.size, ...view.rowWords)} · ${percent(cluster.share)}</span>`;
  const style = html`style="--c:var(--c${view.colorOf(number)})"`;
  if (folded) {
    return html`<details class="card" id="cluster-${number}" ${style}><summary><h3>${title}</h3>${size}</summary>${body(cluster, view, 4)}</details>`;
  }
  return html`<article class="card" id="cluster-${number}" ${style} aria-labelledby="cluster-${number}-title"><header><h3 id="cluster-${number}-title">${title}</h3>${size}
<i class="share" style="--share:${cluster.share.toFixed(4)}" aria-hidden="true"></i></header>${body(cluster, view, 10)}</article>`;
}

/** `rows` at most of each kind. */
function body(cluster: ClusterSummary, view: ReportView, rows: number): Part {
  if (cluster.size === 0) return html`<p class="soft">No row is in this cluster.</p>`;
  const named = view.data.source.columns.length > 0;
  // A pixel on its own says nothing; a picture says it all.
  const features =
    !view.showsPictures && (featureTable(cluster, view, named ? 6 : 3) ?? (named && meanTable(cluster, view, 10)));
  // What a cluster is called by tells more than places in a vector do.
  const beside = besideTable(cluster, 4);
  const shown = view.showsPictures ? rows : Math.min(rows, 5);
  return html`${source(cluster)}<div class="top">${exemplar(cluster, view)}<div class="sure">${certainty(cluster)}${neighbours(cluster, view)}</div></div>
${cluster.namedBy === undefined ? [features, beside] : [beside, features]}
${shownRows({ title: "Typical", rows: cluster.typical.slice(0, shown), second: false }, cluster, view)}
${shownRows({ title: doubtTitle(cluster), rows: lessSure(cluster).slice(0, shown), second: true }, cluster, view)}
${attentionTable(cluster, view)}`;
}

/** Where the name is from, if from a column that the clusters were not made of. */
function source({ namedBy }: ClusterSummary): Part {
  return namedBy !== undefined && html`<p class="source">Named by ${breakable(namedBy)}, ${notUsed}.</p>`;
}

/** Of rows that are all the same none is less sure than the typical ones: they would be there twice. */
function lessSure({ typical, borderline }: ClusterSummary): ClusterSummary["borderline"] {
  const isThere = (row: (typeof borderline)[number]): boolean =>
    typical.some((one) => one.row === row.row && one.confidence === typical[0]!.confidence);
  return borderline.every(isThere) ? [] : borderline;
}

/** Of a row that is placed with such a confidence nobody says that it is in doubt. */
const sure = 0.95;

function doubtTitle({ borderline }: ClusterSummary): string {
  return borderline.every(({ confidence }) => confidence >= sure) ? "Least sure" : "In doubt";
}

/** The exemplar and who made it. */
function exemplar(cluster: ClusterSummary, view: ReportView): Part {
  const { cluster: number, exemplarFrom } = cluster;
  const made = exemplarFrom === "decoder" ? "its center, decoded" : `the ${view.rowWords[0]} nearest to its center`;
  const image = exemplarPicture(cluster, view, `Exemplar of cluster ${number}: ${made}`);
  if (image) return html`<figure class="exemplar">${image}<figcaption>${made}</figcaption></figure>`;
  if (view.data.source.columns.length > 0) return undefined;
  const line = rowProfile(
    cluster.exemplar,
    `The ${thousands(cluster.exemplar.length)} numbers of the center of cluster ${number}`,
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

function neighbours({ neighbours: next }: ClusterSummary, view: ReportView): Part {
  const shown = next.filter(({ share }) => share >= 0.005).slice(0, 3);
  if (shown.length === 0) return undefined;
  return html`<p class="next">Next choice: ${shown.map(
    ({ cluster, share }, i) =>
      html`${i > 0 && ", "}<span class="pair">${clusterLink(cluster, view)} ${percent(share)}</span>`,
  )}</p>`;
}
