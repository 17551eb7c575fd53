/** What sets a cluster apart, number by number. */

import type { ClusterSummary, Difference } from "../../explain/clusters/clusterSummary.ts";
import { shownColumns, spoken } from "../../explain/columnWords.ts";
import type { ReportView } from "../reportView.ts";
import { breakable, html, type Markup, type Part } from "./markup.ts";
import { number, signed, thousands, unbroken } from "./numbers.ts";

/** A number of a row by its name, or by its place where it has none. */
export function featureName({ name, feature }: NamedFeature): string {
  return name || `number ${feature}`;
}

/** What a column is in a row, an exemplar or a mean: a number, or what people say instead. */
export function valueIn({ feature }: Pick<NamedFeature, "feature">, row: ArrayLike<number>, view: ReportView): string {
  const { features = [] } = view.data.source;
  const places = shownColumns(features).find(({ places }) => places.includes(feature))?.places ?? [];
  return spoken(places, features, row) ?? number(row[feature] ?? Number.NaN);
}

export type NamedFeature = Pick<Difference, "name" | "feature">;

/** What tells a cluster from others, the most telling first; the columns as they are where there are no others. */
export function featuresTelling({ distinguishing }: ClusterSummary, { data }: ReportView): readonly NamedFeature[] {
  if (distinguishing.length > 0) return distinguishing;
  const { columns, features = [] } = data.source;
  if (features.length === 0) return columns.map((name, feature) => ({ name, feature }));
  return shownColumns(features).map(({ name, places }) => ({ name, feature: places[0]! }));
}

/** The features that tell most: here, elsewhere, and how far apart in standard deviations. */
export function featureTable(cluster: ClusterSummary, view: ReportView, shown: number): Part {
  const { distinguishing } = cluster;
  if (distinguishing.length === 0) return undefined;
  // The same words for both say less than any others.
  const isSame = ({ said }: Difference): boolean => said !== undefined && said[0] === said[1];
  const order = [...distinguishing].sort((a, b) => Number(isSame(a)) - Number(isSame(b)));
  return folded(order, shown, (part) => table(part, cluster, view));
}

/** What a cluster's rows are on average, column by column, where there are no others to compare them with. */
export function meanTable(cluster: ClusterSummary, view: ReportView, shown: number): Part {
  const line = (feature: NamedFeature): Markup =>
    html`<tr><th scope="row">${breakable(featureName(feature))}</th><td>${valueIn(feature, cluster.mean, view)}</td></tr>`;
  return folded(
    featuresTelling(cluster, view),
    shown,
    (part) =>
      html`<div class="wide"><table class="features"><thead><tr><th scope="col"><span class="unseen">Feature</span></th><th scope="col">mean</th></tr></thead><tbody>${part.map(line)}</tbody></table></div>`,
  );
}

/** The first of them, and more to be opened. */
function folded<T>(all: readonly T[], shown: number, tableOf: (part: readonly T[]) => Markup): Part {
  if (all.length === 0) return undefined;
  const rest = all.slice(shown, 24);
  return html`${tableOf(all.slice(0, shown))}${
    rest.length > 0 &&
    html`<details class="more"><summary>${thousands(rest.length)} more</summary>${tableOf(rest)}</details>`
  }`;
}

function table(differences: readonly Difference[], cluster: ClusterSummary, view: ReportView): Markup {
  // Words take the room of the centers, which are shares as the means are.
  const hasWords = differences.some(({ said }) => said !== undefined);
  const center = ({ feature }: Difference): Part =>
    !hasWords && html`<td class="spare">${number(cluster.exemplar[feature] ?? Number.NaN)}</td>`;
  return html`<div class="wide"><table class="features"><thead><tr><th scope="col"><span class="unseen">Feature</span></th>
${!hasWords && html`<th scope="col" class="spare">center</th>`}<th scope="col">${hasWords ? "here" : "mean here"}</th><th scope="col">elsewhere</th><th scope="col" class="against">difference, σ</th></tr></thead>
<tbody>${differences.map(
    (difference) =>
      html`<tr><th scope="row">${breakable(featureName(difference))}</th>${center(difference)}${mean(difference, 0)}${mean(
        difference,
        1,
      )}<td class="against">${bar(difference.effect, view.largestEffect)}<span>${signed(difference.effect)}</span></td></tr>`,
  )}</tbody></table></div>`;
}

/** Here or elsewhere. */
function mean({ said, here, there }: Difference, at: 0 | 1): Markup {
  const soft = at === 1 ? "soft" : "";
  if (said) return html`<td class="said ${soft}">${unbroken(said[at])}</td>`;
  return html`<td${soft && html` class="soft"`}>${number(at === 0 ? here : there)}</td>`;
}

/** To the right of the middle where the cluster has more, to the left where it has less. */
function bar(effect: number, largest: number): Markup {
  const share = Number.isFinite(effect) ? Math.min(1, Math.abs(effect) / largest) : 0;
  return html`<i class="diverging ${effect < 0 ? "less" : "more"}" style="--share:${share.toFixed(3)}" aria-hidden="true"></i>`;
}
