/** What people have changed since the fit. */

import { html, type Markup } from "../parts/markup.ts";
import { date, quantity } from "../parts/numbers.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

export const curation: Section = { id: "curation", name: "Changes", title: "What people have changed", content };

function content({ data: { curated } }: ReportView): Markup | undefined {
  if (!curated) return undefined;
  const { edits, waiting } = curated;
  return html`<p>These clusters are curated: ${quantity(edits.length, "change")} since the fit, which is as it was. Clusters have the numbers that they had when a change was made.</p>
<div class="wide"><table class="options"><thead><tr><th scope="col">When</th><th scope="col" class="words">Who</th><th scope="col" class="words">What</th></tr></thead><tbody>${edits.map(
    ({ at, who, words }) =>
      html`<tr><th scope="row">${date(at)}</th><td class="words">${who}</td><td class="words">${words}</td></tr>`,
  )}</tbody></table></div>
${waiting > 0 && html`<p>${quantity(waiting, "change")} more ${waiting === 1 ? "waits" : "wait"} for the rows, and ${waiting === 1 ? "is" : "are"} not in here.</p>`}`;
}
