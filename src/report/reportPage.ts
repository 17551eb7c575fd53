/**
 * A run as one HTML file that opens anywhere, asks the network for nothing, and is the same bytes for the same data.
 */

import { mapScript } from "./inlined.ts";
import { html } from "./parts/markup.ts";
import { date, quantity } from "./parts/numbers.ts";
import type { ReportData } from "./reportData.ts";
import { reportView } from "./reportView.ts";
import { type Section, sectionMarkup } from "./section.ts";
import { clusterCards } from "./sections/clusterCards.ts";
import { columns } from "./sections/columns.ts";
import { curation } from "./sections/curation.ts";
import { findings } from "./sections/findings.ts";
import { lesson } from "./sections/lesson.ts";
import { making } from "./sections/making.ts";
import { map } from "./sections/map.ts";
import { scores } from "./sections/scores.ts";
import { training } from "./sections/training.ts";
import { usage } from "./sections/usage.ts";
import { wholePage } from "./wholePage.ts";

const sections: readonly Section[] = [
  findings,
  map,
  clusterCards,
  curation,
  lesson,
  training,
  scores,
  columns,
  making,
  usage,
];

export function reportPage(data: ReportData): string {
  const view = reportView(data);
  const present = sections.flatMap((section) => {
    const content = section.content(view);
    return content ? [{ section, content }] : [];
  });
  const { source, method } = data;
  return wholePage({
    kicker: "Telltale report",
    title: data.title || "A run",
    subtitle: html`${source.name} · ${quantity(source.rows, ...view.rowWords)} · ${method.name} · ${date(data.created)}${data.curated && html` · <a href="#curation">curated</a>`}`,
    sections: present.map(({ section, content }) => ({ ...section, markup: sectionMarkup(section, content) })),
    version: data.version,
    scripts: data.map ? [mapScript] : [],
  });
}
