/** How the run was made: enough to make it again. */

import { html, type Markup } from "../parts/markup.ts";
import { date, duration, number, quantity } from "../parts/numbers.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

export const making: Section = { id: "making", name: "How it was made", title: "How it was made", content };

function content(view: ReportView): Markup {
  const { source, method, seconds, version, created } = view.data;
  const options = Object.entries(method.options);
  return html`<dl class="making">
<dt>Data</dt><dd>${source.name}: ${quantity(source.rows, ...view.rowWords)} of ${shapeOf(view)}, from ${number(source.range[0])} to ${number(
    source.range[1],
  )}.${source.description && html`<br>${source.description}`}</dd>
<dt>Method</dt><dd>${method.name}: ${method.about}<br><cite>${method.paper}</cite></dd>
<dt>Profile</dt><dd>${method.profile}</dd>
<dt>Seed</dt><dd>${String(method.seed)}. The same seed, data, device and version give the same clusters.</dd>
<dt>Device</dt><dd>${method.device}</dd>
<dt>Time</dt><dd>${duration(seconds)}, ${date(created)}</dd>
<dt>Version</dt><dd>Telltale ${version}</dd>
</dl>
${
  options.length > 0 &&
  html`<details class="more"><summary>All ${quantity(options.length, "option")}</summary><div class="wide"><table class="options"><thead><tr><th scope="col">Option</th><th scope="col" class="words">Value</th></tr></thead><tbody>${options.map(
    ([name, value]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td class="words"><code>${written(value)}</code></td></tr>`,
  )}</tbody></table></div></details>`
}`;
}

function shapeOf({ data, showsPictures }: ReportView): string {
  const { row } = data.source;
  if (showsPictures) return `${row[1]} × ${row[2]} pixels${row[0] === 3 ? " in color" : ""}`;
  return row.length > 1 ? `${row.join(" × ")} numbers` : quantity(row[0] ?? 0, "number");
}

function written(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
