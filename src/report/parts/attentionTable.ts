/** What two rows of a cluster attend to, the most typical and the one most in doubt; the parts add up to the loss. */

import type { ClusterSummary, ShownRow } from "../../explain/clusters/clusterSummary.ts";
import type { ReportView } from "../reportView.ts";
import { clusterLink } from "./clusterMarks.ts";
import { html, type Markup, type Part } from "./markup.ts";
import { number, percent, quantity } from "./numbers.ts";

export function attentionTable({ typical, borderline }: ClusterSummary, view: ReportView): Part {
  const shown = [
    { who: "most typical", row: typical[0] },
    { who: "most in doubt", row: borderline[0] },
  ].flatMap(({ who, row }) => (row?.attention ? [group(who, row, row.attention, view)] : []));
  if (shown.length === 0) return undefined;
  return html`<details class="more"><summary>What two rows attend to</summary><p class="soft">How unlike each center a row is, times how much it attends to it, adds up to its loss.</p><div class="wide"><table class="rows attention"><thead><tr><th scope="col"><span class="unseen">Cluster</span></th><th scope="col">attention</th><th scope="col">unlike</th><th scope="col">part</th></tr></thead>${shown}</table></div></details>`;
}

function group(
  who: string,
  { row }: ShownRow,
  { parts, others, loss }: NonNullable<ShownRow["attention"]>,
  view: ReportView,
): Markup {
  // What has less than a hundredth is told with the others.
  const told = parts.filter(({ attention }, i) => i === 0 || attention >= 0.01);
  const hushed = parts.slice(told.length);
  const left = hushed.length + (others?.clusters ?? 0);
  const sum = (of: "attention" | "part"): number =>
    hushed.reduce((total, each) => total + each[of], 0) + (others?.[of] ?? 0);
  return html`<tbody><tr><th scope="rowgroup" colspan="4">row ${row}, ${who}</th></tr>${told.map(
    ({ cluster, attention, dissimilarity, part }) =>
      html`<tr><th scope="row">${clusterLink(cluster, view)}</th><td>${percent(attention)}</td><td>${number(dissimilarity)}</td><td>${number(part)}</td></tr>`,
  )}${
    left > 0 &&
    html`<tr><th scope="row">${quantity(left, "other")}</th><td>${percent(sum("attention"))}</td><td></td><td>${number(sum("part"))}</td></tr>`
  }<tr><th scope="row">its loss</th><td></td><td></td><td>${number(loss)}</td></tr></tbody>`;
}
