/** Rows of a cluster: as pictures, or as a small table. */

import type { ClusterSummary, ShownRow } from "../../explain/clusters/clusterSummary.ts";
import { oneLine } from "../../text/oneLine.ts";
import type { ReportView } from "../reportView.ts";
import { clusterBadge, clusterLink } from "./clusterMarks.ts";
import { featureName, featuresTelling, type NamedFeature, valueIn } from "./featureTable.ts";
import { breakable, html, type Markup, type Part } from "./markup.ts";
import { number, percent } from "./numbers.ts";
import { picture } from "./pictures.ts";

/** Letters of an id: it may be a long text. */
const longestName = 60;
/** Letters of all columns' names together that stay in one line. */
const mostUnbroken = 40;

/** What a row is called where it comes from, or its place in the data. */
function nameOf({ id, row }: ShownRow): string {
  return id === undefined || id === "" ? `row ${row}` : oneLine(id, longestName);
}

export interface ShownRows {
  readonly title: string;
  readonly rows: readonly ShownRow[];
  /** Whether it matters where a row would go next. */
  readonly second: boolean;
}

export function shownRows({ title, rows, second }: ShownRows, cluster: ClusterSummary, view: ReportView): Part {
  if (rows.length === 0) return undefined;
  return view.showsPictures ? pictures({ title, rows, second }, view) : table({ title, rows, second }, cluster, view);
}

function pictures({ title, rows, second }: ShownRows, view: ReportView): Markup {
  return html`<h4>${title}</h4><ul class="pictures">${rows.map((row) => {
    const words = `${nameOf(row)}: ${percent(row.confidence)} confident${second ? `, else cluster ${row.second}` : ""}`;
    return html`<li title="${words}">${picture(row.values, view.data.source, words, 64)}${
      second && html`<span aria-hidden="true" class="next">or ${clusterBadge(row.second, view)}</span>`
    }</li>`;
  })}</ul>`;
}

/** A value of the row; one that the file does not have is marked. */
function shownValue({ values, filled }: ShownRow, feature: NamedFeature, view: ReportView): Markup {
  const text = valueIn(feature, values, view);
  // Words, and no numbers: sklearn.preprocessing.
  const shown = /\p{L}{2}/u.test(text) ? breakable(text) : html`${text}`;
  return filled?.includes(feature.feature)
    ? html`<i class="filled" title="missing in the file: the mean of the column stands for it">${shown}*</i>`
    : shown;
}

/** What a narrow card leaves out. */
const spare = html` class="spare"`;

/** The rows with what tells most about their cluster; vectors without names only by how they are placed. */
function table({ title, rows, second }: ShownRows, cluster: ClusterSummary, view: ReportView): Markup {
  const named = view.data.source.columns.length > 0;
  const hasTexts = rows.some(({ text }) => text !== undefined);
  // Where clusters are named by texts, a text tells more of a row than places in a vector.
  const most = hasTexts ? (cluster.namedBy === undefined ? 2 : 0) : 4;
  const features = named ? featuresTelling(cluster, view).slice(0, most) : [];
  const names = features.map(featureName);
  const isBroken = hasTexts || names.join("").length > mostUnbroken;
  // Beside a text there is room for one.
  const last = second || hasTexts ? 0 : 1;
  // Words are broken rather than hide what stands to the right of them.
  const isLong = (feature: NamedFeature): boolean =>
    rows.some(({ values }) => / (?!(?:%|M|bn)$)/.test(valueIn(feature, values, view)));
  const long = features.map(isLong);
  return html`<div class="wide"><table class="rows"><caption>${title}</caption><thead><tr><th scope="col"><span class="unseen">Row</span></th>${
    hasTexts && html`<th scope="col" class="said">${breakable(cluster.textFrom ?? "text")}</th>`
  }${features.map(
    (_, i) => html`<th scope="col"${i > last && spare}>${isBroken ? breakable(names[i]!) : names[i]}</th>`,
  )}${!named && html`<th scope="col">distance</th>`}<th scope="col">confidence</th>${
    second && html`<th scope="col">else</th>`
  }</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row">${nameOf(row)}</th>${hasTexts && html`<td class="said">${row.text}</td>`}${features.map(
        (feature, i) =>
          html`<td class="${[i > last && "spare", long[i] && "long"].filter(Boolean).join(" ")}">${shownValue(row, feature, view)}</td>`,
      )}${!named && html`<td>${number(row.distance)}</td>`}<td>${percent(row.confidence)}</td>${
        second && html`<td>${clusterLink(row.second, view)}</td>`
      }</tr>`,
  )}</tbody></table></div>`;
}
