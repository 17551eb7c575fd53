/** A page around sections: one HTML file that opens anywhere and asks the network for nothing. */

import { htmlDocument } from "../text/htmlDocument.ts";
import { earlyScript, pageScript, scriptHashes, style } from "./inlined.ts";
import { html, type Markup, trusted } from "./parts/markup.ts";

interface WholePage {
  /** What kind of page it is. */
  readonly kicker: string;
  readonly title: string;
  readonly subtitle: Markup;
  readonly sections: readonly { readonly id: string; readonly name: string; readonly markup: Markup }[];
  /** Of Telltale. */
  readonly version: string;
  /** Scripts of ours that the page needs beside its own. */
  readonly scripts?: readonly string[];
}

/** Not even by mistake does the page load anything, or run a script but ours. */
const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${scriptHashes}; base-uri 'none'; form-action 'none'`;

export function wholePage({ kicker, title, subtitle, sections, version, scripts = [] }: WholePage): string {
  const body = html`<a class="skip" href="#main">To the content</a>
<header class="title">
<p class="kicker">${kicker}</p>
<h1>${title}</h1>
<p class="subtitle">${subtitle}</p>
</header>
<nav aria-label="Sections"><div><ul>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>
<button type="button" id="theme" class="scripted">Dark</button></div></nav>
<main id="main">
${sections.map(({ markup }) => markup)}
</main>
<footer>Made by Telltale ${version}. This file is complete: it opens without a network and sends nothing.</footer>
<script>${trusted(pageScript)}</script>${scripts.map((script) => html`<script>${trusted(script)}</script>`)}`;
  const head = `<script>${earlyScript}</script>
<style>${style}</style>`;
  return htmlDocument({ title, policy, version, head, body: body.text });
}
