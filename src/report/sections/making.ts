/** How the run was made, and how to go on with it. */

import type { Context } from "../parts/context.ts";
import { html, type Markup } from "../parts/markup.ts";
import { counted, date, duration, number } from "../parts/numbers.ts";

export function makingSection(context: Context): Markup {
  const { source, method, seconds, version, created } = context.data;
  const options = Object.entries(method.options);
  return html`<section id="making" aria-labelledby="making-title">
<h2 id="making-title">How it was made</h2>
<dl class="making">
<dt>Data</dt><dd>${source.name}: ${counted(source.rows, ...context.things)} of ${shapeOf(context)}, from ${number(source.range[0])} to ${number(
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
  html`<details class="more"><summary>All ${counted(options.length, "option")}</summary><div class="wide"><table class="options"><thead><tr><th scope="col">Option</th><th scope="col" class="words">Value</th></tr></thead><tbody>${options.map(
    ([name, value]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td class="words"><code>${written(value)}</code></td></tr>`,
  )}</tbody></table></div></details>`
}
</section>`;
}

function shapeOf({ data, pictures }: Context): string {
  const { row } = data.source;
  if (pictures) return `${row[1]} × ${row[2]} pixels${row[0] === 3 ? " in color" : ""}`;
  return row.length > 1 ? `${row.join(" × ")} numbers` : counted(row[0] ?? 0, "number");
}

function written(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

export function usageSection(context: Context): Markup {
  const { title, source } = context.data;
  const run = title || "RUN";
  const shape = source.row.join(", ");
  const file = context.pictures ? "new-images/" : "new.csv";
  const shell = /^[\w./-]+$/.test(run) ? run : `'${run.replaceAll("'", "'\\''")}'`;
  return html`<section id="use" aria-labelledby="use-title">
<h2 id="use-title">How to use it</h2>
<p>The run's folder, here <code>${run}</code>, holds all that is needed to place new ${context.things[1]} in these clusters.</p>
<h3>On the command line</h3>
${code(`telltale assign ${shell} ${file}
telltale explain ${shell} --row 0`)}
<h3>In TypeScript</h3>
${code(`import { load } from "telltale";

const model = await load(${JSON.stringify(run)});
const labels = await model.predict(rows); // the cluster of each row`)}
<h3>In Python, or wherever ONNX runs</h3>
${code(`import numpy as np
import onnxruntime

model = onnxruntime.InferenceSession(${JSON.stringify(`${run}/model.onnx`)})
x = np.zeros((1, ${shape}), dtype=np.float32)  # rows in the data's own units: scaling is inside
label, probabilities = model.run(["label", "probabilities"], {"x": x})`)}
</section>`;
}

function code(text: string): Markup {
  return html`<pre><code>${text}</code></pre>`;
}
