/**
 * A run as one HTML file that opens anywhere, asks the network for nothing, and is the same bytes for the same data.
 */

import { earlyScript, mapScript, pageScript, scriptHashes, style } from "./inlined.ts";
import { html, trusted } from "./parts/markup.ts";
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

/** Not even by mistake does the page load anything, or run a script but ours. */
const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${scriptHashes}; base-uri 'none'; form-action 'none'`;

export function reportPage(data: ReportData): string {
  const view = reportView(data);
  const title = data.title || "A run";
  const present = sections.flatMap((section) => {
    const content = section.content(view);
    return content ? [{ section, content }] : [];
  });
  const { source, method } = data;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Telltale ${data.version}">
<title>${title} – Telltale</title>
<link rel="icon" href="data:,">
<script>${trusted(earlyScript)}</script>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="title">
<p class="kicker">Telltale report</p>
<h1>${title}</h1>
<p class="subtitle">${source.name} · ${quantity(source.rows, ...view.rowWords)} · ${method.name} · ${date(data.created)}${data.curated && html` · <a href="#curation">curated</a>`}</p>
</header>
<nav aria-label="Sections"><div><ul>${present.map(({ section: { id, name } }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>
<button type="button" id="theme" class="scripted">Dark</button></div></nav>
<main id="main">
${present.map(({ section, content }) => sectionMarkup(section, content))}
</main>
<footer>Made by Telltale ${data.version}. This file is complete: it opens without a network and sends nothing.</footer>
<script>${trusted(pageScript)}</script>${data.map && html`<script>${trusted(mapScript)}</script>`}
</body>
</html>
`.text;
}
