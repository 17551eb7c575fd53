/** The columns of the file: what each was used for, what it holds, and why. */

import type { Role } from "../../data/columnGuess.ts";
import { type ColumnReport, reasonWords, roleWords, valueWords } from "../../data/columnReport.ts";
import { breakable, html, type Markup } from "../parts/markup.ts";
import { number, percent, quantity, unbroken } from "../parts/numbers.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

export const columns: Section = { id: "columns", name: "Columns", title: "The columns of the file", content };

/** So many are shown at once; of more, the others are folded away. */
const mostShown = 40;

function content({ data }: ReportView): Markup | undefined {
  const { table = [] } = data.source;
  if (table.length === 0) return undefined;
  const used = table.filter(({ isUsed }) => isUsed).length;
  const rest = table.length - used;
  const roles = (Object.keys(roleWords) as Role[]).filter((each) => table.some(({ role }) => role === each));
  // What is not learned from comes first where not all can be seen at once: it is what people look for.
  const order = table.length <= mostShown ? table : [...table].sort((a, b) => Number(a.isUsed) - Number(b.isUsed));
  const [shown, folded] = [order.slice(0, mostShown), order.slice(mostShown)];
  return html`<p>${quantity(used, "column")} ${used === 1 ? "was" : "were"} learned from${
    rest > 0 && `, ${rest} ${rest === 1 ? "was" : "were"} not`
  }. What each is for was guessed, for the reason beside it, unless somebody had said it. Of numbers, the least, the middle and the most are shown, of others the most frequent values.</p>
<p class="soft">${roles.map((role, i) => html`${i > 0 && " · "}<b>${role}</b>: ${roleWords[role]}`)}</p>
${tableOf(shown)}${
  folded.length > 0 &&
  html`<details class="more"><summary>${quantity(folded.length, "more column")}</summary>${tableOf(folded)}</details>`
}`;
}

function tableOf(columns: readonly ColumnReport[]): Markup {
  const titles = ["Role", "Type", "Missing", "Values", "Why"];
  return html`<div class="wide"><table class="columns"><thead><tr><th scope="col">Column</th>${titles.map(
    (title) => html`<th scope="col"${title !== "Missing" && html` class="words"`}>${title}</th>`,
  )}</tr></thead><tbody>${columns.map(line)}</tbody></table></div>`;
}

function line(column: ColumnReport): Markup {
  const { name, role, isUsed, type, missing } = column;
  return html`<tr${!isUsed && html` class="unused"`}><th scope="row">${name ? breakable(name) : "–"}</th><td class="words"><span class="role" title="${roleWords[role]}">${role}</span></td><td class="words">${type}</td><td>${
    missing > 0 ? percent(missing) : "–"
  }</td><td class="words">${unbroken(valueWords(column, number))}</td><td class="words">${reasonWords(column)}</td></tr>`;
}
