/** How to go on with the run: new rows into its clusters. */

import { jsonText } from "../../text/jsonText.ts";
import { pythonText } from "../../text/pythonText.ts";
import { shellPath } from "../../text/shellText.ts";
import { html, type Markup } from "../parts/markup.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

export const usage: Section = { id: "use", name: "How to use it", title: "How to use it", content };

function content(view: ReportView): Markup {
  const { title, source, method } = view.data;
  const run = title || "RUN";
  const shape = (source.given ?? source.row).join(", ");
  const file = view.showsPictures ? "new-images/" : "new.csv";
  const shell = shellPath(run);
  return html`<p>The run's folder, here <code>${run}</code>, holds all that is needed to place new ${view.rowWords[1]} in these clusters.</p>
<h3>On the command line</h3>
${code(`telltale assign ${shell} ${file}
telltale explain ${shell} --row 0${method.file === undefined ? "" : ` --method ${shellPath(method.file)}`}`)}
<p>For each row, <code>confidence</code> says how clear the choice of its cluster is, and <code>outlier</code> whether it belongs there at all: 0.97 is farther out than 97 % of the cluster's rows, 41 is 41 times as far out as the farthest of them.</p>
<h3>In TypeScript</h3>
${code(`import { load } from "telltale";

const model = await load(${jsonText(run)}${method.file === undefined ? "" : `, { method: ${jsonText(`./${method.file}`)} }`});
const labels = await model.predict(rows); // the cluster of each row`)}
<h3>In Python, or wherever ONNX runs</h3>
${code(`import numpy as np
import onnxruntime

model = onnxruntime.InferenceSession(${pythonText(`${run}/model.onnx`)})
x = np.zeros((1, ${shape}), dtype=np.float32)  # rows in the data's own units: scaling is inside
label, probabilities = model.run(["label", "probabilities"], {"x": x})`)}`;
}

function code(text: string): Markup {
  return html`<pre><code>${text}</code></pre>`;
}
