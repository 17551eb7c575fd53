/** What sets a cluster apart, number by number. */

import type { ClusterSummary, Difference } from "../../explain/clusters/clusterSummary.ts";
import { shownColumns, spoken } from "../../explain/columnWords.ts";
import type { ReportView } from "../reportView.ts";
import { html, type Markup, type Part } from "./markup.ts";
import { number, signed, thousands } from "./numbers.ts";

/** A number of a row by its name, or by its place where it has none. */
export function featureName({ name, feature }: Pick<Difference, "name" | "feature">): string {
  return name || `number ${feature}`;
}

/** What a column is in a row, an exemplar or a mean: a number, or what people say instead. */
export function valueIn({ feature }: Pick<Difference, "feature">, row: ArrayLike<number>, view: ReportView): string {
  const { features = [] } = view.data.source;
  const places = shownColumns(features).find(({ places }) => places.includes(feature))?.places ?? [];
  return spoken(places, features, row) ?? number(row[feature] ?? Number.NaN);
}

/** The features that tell most: here, elsewhere, and how far apart in standard deviations. */
export function featureTable(cluster: ClusterSummary, view: ReportView, shown: number): Part {
  const { distinguishing } = cluster;
  if (distinguishing.length === 0) return undefined;
  const rest = distinguishing.slice(shown, 24);
  return html`${table(distinguishing.slice(0, shown), cluster, view)}${
    rest.length > 0 &&
    html`<details class="more"><summary>${thousands(rest.length)} more</summary>${table(rest, cluster, view)}</details>`
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
      html`<tr><th scope="row">${featureName(difference)}</th>${center(difference)}${mean(difference, 0)}${mean(
        difference,
        1,
      )}<td class="against">${bar(difference.effect, view.largestEffect)}<span>${signed(difference.effect)}</span></td></tr>`,
  )}</tbody></table></div>`;
}

/** Here or elsewhere. */
function mean({ said, here, there }: Difference, at: 0 | 1): Markup {
  const soft = at === 1 ? "soft" : "";
  if (said) return html`<td class="said ${soft}">${said[at]}</td>`;
  return html`<td${soft && html` class="soft"`}>${number(at === 0 ? here : there)}</td>`;
}

/** To the right of the middle where the cluster has more, to the left where it has less. */
function bar(effect: number, largest: number): Markup {
  const share = Number.isFinite(effect) ? Math.min(1, Math.abs(effect) / largest) : 0;
  return html`<i class="diverging ${effect < 0 ? "less" : "more"}" style="--share:${share.toFixed(3)}" aria-hidden="true"></i>`;
}
