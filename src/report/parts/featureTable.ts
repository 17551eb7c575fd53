/** What sets a cluster apart, number by number. */

import type { ClusterSummary, Difference } from "../../explain/clusters/clusterSummary.ts";
import type { Context } from "./context.ts";
import { html, type Markup, type Part } from "./markup.ts";
import { count, number, signed } from "./numbers.ts";

/** A number of a row by its name, or by its place where it has none. */
export function featureName({ name, feature }: Pick<Difference, "name" | "feature">): string {
  return name || `number ${feature}`;
}

/** The features that tell most: here, elsewhere, and how far apart in standard deviations. */
export function featureTable(cluster: ClusterSummary, context: Context, shown: number): Part {
  const { distinguishing } = cluster;
  if (distinguishing.length === 0) return undefined;
  const rest = distinguishing.slice(shown, 24);
  return html`${table(distinguishing.slice(0, shown), cluster, context)}${
    rest.length > 0 &&
    html`<details class="more"><summary>${count(rest.length)} more</summary>${table(rest, cluster, context)}</details>`
  }`;
}

function table(differences: readonly Difference[], cluster: ClusterSummary, context: Context): Markup {
  return html`<div class="wide"><table class="features"><thead><tr><th scope="col"><span class="unseen">Feature</span></th>
<th scope="col" class="spare">center</th><th scope="col">mean here</th><th scope="col">elsewhere</th><th scope="col" class="against">difference, σ</th></tr></thead>
<tbody>${differences.map(
    (difference) =>
      html`<tr><th scope="row">${featureName(difference)}</th><td class="spare">${number(
        cluster.exemplar[difference.feature] ?? Number.NaN,
      )}</td><td>${number(difference.here)}</td><td class="soft">${number(difference.there)}</td><td class="against">${bar(
        difference.effect,
        context.reach,
      )}<span>${signed(difference.effect)}</span></td></tr>`,
  )}</tbody></table></div>`;
}

/** To the right of the middle where the cluster has more, to the left where it has less. */
function bar(effect: number, reach: number): Markup {
  const share = Number.isFinite(effect) ? Math.min(1, Math.abs(effect) / reach) : 0;
  return html`<i class="diverging ${effect < 0 ? "less" : "more"}" style="--share:${share.toFixed(3)}" aria-hidden="true"></i>`;
}

/** A row without names as a line of bars, the numbers of the exemplar from left to right. */
export function profile(values: readonly number[], label: string): Part {
  if (values.length < 2 || values.length > 1024) return undefined;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const path = values
    .map((value, i) => `M${i + 0.5} 20V${(20 - 19 * (Number.isFinite(value) ? value / largest : 0)).toFixed(1)}`)
    .join("");
  return html`<svg class="profile" viewBox="0 0 ${values.length} 40" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="axis" d="M0 20H${
    values.length
  }"/><path class="bars" d="${path}"/></svg>`;
}
