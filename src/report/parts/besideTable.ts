/** What columns say of a cluster that were not used to make it. */

import { notUsed } from "../../explain/beside/besideWords.ts";
import type { Beside, ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { breakable, html, type Markup, type Part } from "./markup.ts";
import { number, percent, thousands } from "./numbers.ts";

const mostShares = 3;

/** One line for each, the most telling first; of categories one for each of the largest shares. */
export function besideTable({ beside = [] }: ClusterSummary, shown: number): Part {
  if (beside.length === 0) return undefined;
  const rest = beside.slice(shown, 24);
  return html`${table(beside.slice(0, shown), html`<caption>Columns ${notUsed}</caption>`)}${
    rest.length > 0 &&
    html`<details class="more"><summary>${thousands(rest.length)} more</summary>${table(rest)}</details>`
  }`;
}

function table(columns: readonly Beside[], caption?: Markup): Markup {
  // Words are those of here alone.
  const titled = columns.some(({ kind }) => kind !== "words");
  return html`<div class="wide"><table class="beside">${caption}<thead${!titled && html` class="unseen"`}><tr><th scope="col"><span class="unseen">Column</span></th><th scope="col"><span class="unseen">What</span></th>
<th scope="col">here</th><th scope="col">elsewhere</th></tr></thead><tbody>${columns.map(lines)}</tbody></table></div>`;
}

function lines(says: Beside): Part {
  const name = (rows = 1): Markup =>
    html`<th scope="row"${rows > 1 && html` rowspan="${rows}"`}>${breakable(says.column)}</th>`;
  switch (says.kind) {
    case "words":
      return html`<tr>${name()}<td class="words" colspan="3">${says.words.map(
        ({ word, here, there }, i) => html`${i > 0 && ", "}<span title="${wordTitle(here, there)}">${word}</span>`,
      )}</td></tr>`;
    case "category": {
      const values = says.values.slice(0, mostShares);
      return values.map(
        ({ value, here, there }, i) =>
          html`<tr>${i === 0 && name(values.length)}${figures(value, percent(here), there === undefined ? "" : percent(there))}</tr>`,
      );
    }
    case "number":
      return html`<tr>${name()}${figures("mean", number(says.here), says.there === undefined ? "" : number(says.there))}</tr>`;
    case "date":
      return html`<tr>${name()}${figures(`${says.from} to ${says.to}, mean`, says.here, says.there ?? "")}</tr>`;
  }
}

function figures(what: string, here: string, there: string): Markup {
  return html`<td class="what">${what}</td><td>${here}</td><td class="soft">${there}</td>`;
}

function wordTitle(here: number, there: number | undefined): string {
  return `in ${percent(here)} of its texts${there === undefined ? "" : `, in ${percent(there)} of others`}`;
}
