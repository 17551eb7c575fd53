/** A report in which every text is the same, and that one tries to be something else. */

import type { Beside } from "../../src/explain/clusters/clusterSummary.ts";
import type { ReportData } from "../../src/report/reportData.ts";
import { sample } from "./sample.ts";

const address = "https://evil.example/x";

/** Each sets `ran`, asks for something, opens a dialog or makes an element, where it is taken for markup. */
export const attempts: Readonly<Record<string, string>> = {
  "a script": `<script>ran=1;alert(1)</script>`,
  "the end of a script": `</script><script>ran=1</script>`,
  "a comment that swallows a script's end": `<!--<script>ran=1</script>`,
  "an image that fails": `"'><img src=x onerror=ran=1>`,
  "an attribute": `" onmouseover="ran=1" onfocus='ran=1' autofocus tabindex=1 x="`,
  "a drawing": `</text></svg><svg onload=ran=1><animate onbegin=ran=1 attributeName=x>`,
  "a frame": `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  "a link": `<a href="javascript:ran=1">javascript:ran=1 ${address}</a>`,
  "a new address": `</title><meta http-equiv=refresh content="0;url=${address}"><base href="${address}">`,
  "a style": `</style><style>*{background:url(${address})}</style><link rel=stylesheet href=${address}>`,
  "a value of a style": `1;background:url(${address});x:`,
  "text that is not read": `</pre></code><textarea><plaintext><noscript>`,
  "a template": `$\{ran=1}{{ran=1}}\`ran=1\``,
  entities: "&lt;script&gt;ran=1&lt;/script&gt;&#60;script&#62;&amp;",
  "what nobody sees": "a\u2028b\u2029c\u0000d\u001b[31me\u009b1mf\u202eg\u2066h\u200b\ufeff\ud800",
  "a name that every object has": "constructor",
};

export function hostileReport(text: string): ReportData {
  const base = sample({ columns: [`a${text}`, `b${text}`], clusters: 3 });
  const rows = (shown: ReportData["clusters"][number]["typical"]) => shown.map((row) => ({ ...row, id: text, text }));
  return {
    ...base,
    title: text,
    created: text,
    version: text,
    source: { ...base.source, name: text, description: text },
    method: {
      ...{ name: text, about: text, paper: text, profile: text, device: text, file: text, seed: 1 },
      options: { [text]: text },
    },
    clusters: base.clusters.map((cluster) => ({
      ...cluster,
      name: text,
      namedBy: text,
      beside: besideOf(text),
      typical: rows(cluster.typical),
      borderline: rows(cluster.borderline),
    })),
    epochs: base.epochs.map((epoch, i) => ({
      ...epoch,
      losses: { loss: 1, ...(i % 2 && { [text]: 2 }) },
      scores: { [text]: 1 },
    })),
    choice: { chosen: 2, reason: text, tried: [{ clusters: 2, scores: { [text]: 1 } }] },
    taught: {
      ...base.taught!,
      ...{ teacher: text, view: text, reason: text, from: text, names: [text, text, text] },
      tried: [{ view: text, teacher: text, score: 1, error: 0 }],
    },
    scores: { metrics: { [text]: 1 }, classes: [text, text, text], table: base.scores!.table },
    measures: { [text]: 1 },
    notices: [text],
  };
}

/** What columns say that were not used to cluster, one of each kind. */
export function besideOf(text: string): readonly Beside[] {
  return [
    { kind: "words", column: text, words: [{ word: text, here: 0.5, there: 0.1, score: 1 }] },
    { kind: "category", column: text, values: [{ value: text, here: 0.75, there: 0.25 }] },
    { kind: "number", column: text, here: 3.5, there: 1, effect: 2 },
    { kind: "date", column: text, from: text, to: text, here: text, there: text, effect: 1 },
    { kind: "category", column: `${text}, of all`, values: [{ value: text, here: 1 }] },
  ];
}
