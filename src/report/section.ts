/** A section of a report. */

import { html, type Markup } from "./parts/markup.ts";
import type { ReportView } from "./reportView.ts";

export interface Section {
  /** Where links lead to. */
  readonly id: string;
  /** In the navigation. */
  readonly name: string;
  readonly title: string;
  /** What it says; nothing where the run has nothing to say, and then there is no section. */
  readonly content: (view: ReportView) => Markup | undefined;
}

export function sectionMarkup({ id, title }: Section, content: Markup): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>`;
}
