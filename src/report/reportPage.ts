/** A run as one HTML file that opens anywhere, asks the network for nothing, and is the same bytes for the same data. */

import { atlas } from "./browser/atlas.ts";
import { layout } from "./browser/layout.ts";
import { early, script } from "./browser/script.ts";
import { style } from "./browser/style.ts";
import { theme } from "./browser/theme.ts";
import { contextOf } from "./parts/context.ts";
import { html, type Markup, trusted } from "./parts/markup.ts";
import { counted, date } from "./parts/numbers.ts";
import type { ReportData } from "./reportData.ts";
import { cardsSection } from "./sections/cards.ts";
import { curvesSection } from "./sections/curves.ts";
import { foundSection } from "./sections/found.ts";
import { makingSection, usageSection } from "./sections/making.ts";
import { mapSection } from "./sections/map.ts";
import { scoresSection } from "./sections/scores.ts";

/** Not even by mistake does the page load anything. */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function report(data: ReportData): string {
  const context = contextOf(data);
  const title = data.title || "A run";
  const sections: readonly (readonly [id: string, name: string, section: Markup | undefined])[] = [
    ["found", "Found", foundSection(context)],
    ["map", "Map", mapSection(context)],
    ["clusters", "Clusters", cardsSection(context)],
    ["training", "Training", curvesSection(context)],
    ["scores", "Scores", scoresSection(context)],
    ["making", "How it was made", makingSection(context)],
    ["use", "How to use it", usageSection(context)],
  ];
  const present = sections.filter(([, , section]) => section);
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
<script>${trusted(early)}</script>
<style>${trusted(`${theme}${style}${layout}`)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="title">
<p class="kicker">Telltale report</p>
<h1>${title}</h1>
<p class="subtitle">${source.name} · ${counted(source.rows, ...context.things)} · ${method.name} · ${date(data.created)}</p>
</header>
<nav aria-label="Sections"><div><ul>${present.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>
<button type="button" id="theme" class="scripted">Dark</button></div></nav>
<main id="main">
${present.map(([, , section]) => section)}
</main>
<footer>Made by Telltale ${data.version}. This file is complete: it opens without a network and sends nothing.</footer>
<script>${trusted(script)}</script>${data.map && html`<script>${trusted(atlas)}</script>`}
</body>
</html>
`.text;
}
