/** The model card: what a run is, found, was made of and how, and how to use it; for whoever opens the folder. */

import { areNumbered, featureNames } from "../../data/feature.ts";
import { besideWords, notUsed } from "../../explain/beside/besideWords.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { metrics } from "../../metrics/index.ts";
import { jsonText } from "../../text/jsonText.ts";
import { markdownCode, markdownText } from "../../text/markdownText.ts";
import { shellPath } from "../../text/shellText.ts";
import { clusterCount } from "../../training/membership.ts";
import { noneWords, taughtWords } from "../../training/taughtWords.ts";
import { aboutMethod } from "./aboutMethod.ts";
import { methodHint } from "./ownMethod.ts";
import type { RunDescription, RunResult } from "./schemas/runDescription.ts";

export interface CardData {
  /** What people call the run. */
  readonly name: string;
  readonly description: RunDescription & { readonly result: RunResult };
  readonly clusters: readonly Pick<ClusterSummary, "cluster" | "name" | "namedBy" | "size" | "share" | "beside">[];
}

/** README.md of a run folder. */
export function modelCard(data: CardData): string {
  const sections = [found, beside, rows, lesson, making, scores, use, limits, origin].map((section) => section(data));
  return `# ${markdownText(data.name)}\n\n${sections.filter(Boolean).join("\n\n")}\n`;
}

function found({ description, clusters }: CardData): string {
  const { source, result, choice, settings } = description;
  const lines = clusters.map(
    ({ cluster, name, size, share }) =>
      `| ${cluster} | ${markdownText(name)} | ${size} | ${(100 * share).toFixed(1)} % |`,
  );
  const named = [...new Set(clusters.flatMap(({ namedBy }) => namedBy ?? []))];
  const empty = clusters.filter(({ size }) => size === 0).length;
  return [
    `A clustering of ${source.rows} rows into ${clusters.length - empty} groups, ${settings.teacher ? "taught by labels that somebody had" : "found without labels"}.`,
    "## What was found",
    ["| cluster | name | rows | share |", "|---:|:---|---:|---:|", ...lines].join("\n"),
    ...(named.length > 0 ? [`Names are from ${named.map(markdownCode).join(", ")}, ${notUsed}.`] : []),
    ...(choice ? [`How many: ${markdownText(choice.reason)}.`] : []),
    ...(empty > 0 ? [`${empty} of the clusters have no rows.`] : []),
    ...(result.notices.length > 0 ? [result.notices.map((notice) => `- ${markdownText(notice)}`).join("\n")] : []),
  ].join("\n\n");
}

/** So many columns are in the table; clusters.json has all. */
const mostColumns = 6;

function beside({ clusters }: CardData): string {
  const columns = [...new Set(clusters.flatMap((cluster) => (cluster.beside ?? []).map(({ column }) => column)))];
  if (columns.length === 0) return "";
  const shown = columns.slice(0, mostColumns);
  const lines = clusters.map((cluster) => {
    const cells = shown.map((column) => {
      const says = cluster.beside?.find((each) => each.column === column);
      return says ? markdownText(besideWords(says)) : "";
    });
    return `| ${[cluster.cluster, ...cells].join(" | ")} |`;
  });
  return [
    `## Columns ${notUsed}`,
    "They had no part in making the clusters, and still describe them: means, spans, shares, and the words that tell texts from those elsewhere.",
    [`| cluster | ${shown.map(markdownText).join(" | ")} |`, `|---:|${":---|".repeat(shown.length)}`, ...lines].join(
      "\n",
    ),
    ...(columns.length > mostColumns ? [`${columns.length - mostColumns} more are in clusters.json.`] : []),
  ].join("\n\n");
}

function rows({ description: { source, settings, result } }: CardData): string {
  const { name, description, rows: count, row, features, filled } = source;
  return [
    "## Data",
    `From ${markdownCode(name)}: ${markdownText(description)}. ${count} rows of shape [${row}].`,
    ...(areNumbered(features)
      ? []
      : [`The numbers of a row, in this order: ${featureNames(features).map(markdownCode).join(", ")}.`]),
    ...(filled && !settings.encoder
      ? ["Missing values stand at the mean of their column; the model fills them in by itself (NaN)."]
      : result.plan.means
        ? ["No value was missing. Where one is, model.onnx takes the mean of its column."]
        : []),
  ].join("\n\n");
}

function lesson({ description: { result, settings } }: CardData): string {
  const { taught } = result;
  if (!taught) return "";
  const { none } = taught;
  const said = [taughtWords(taught, settings.teacher?.from), ...(none ? [noneWords(none)] : [])];
  return [
    "## What it was taught",
    ...said.map((words) => `${markdownText(words)}.`),
    "A probability says how sure the model is that its teacher would say so. model.onnx always gives the nearest cluster.",
  ].join("\n\n");
}

function making({ description: { result, settings } }: CardData): string {
  const { plan, restarts, stopped, device, seconds } = result;
  const method = aboutMethod({ settings });
  const options = Object.entries(plan.options).map(([name, value]) => `${name} ${jsonText(value)}`);
  return [
    "## How it was made",
    `Method **${markdownText(method.name)}**: ${markdownText(method.about)} Paper: ${markdownText(method.paper)}.`,
    `Profile ${plan.profile}, seed ${plan.seed}, ${clusterCount(plan)} clusters${settings.encoder ? ", behind a frozen encoder (`encoder.onnx`)" : ""}. ` +
      `Of ${restarts.length} restarts the one numbered ${result.restart} was kept; it ended because ${reasons[stopped]}. ` +
      `${seconds.toFixed(0)} seconds on ${markdownText(device)}. The same seed and device give the same bits.`,
    `Options: ${markdownCode(options.join(", "))}.`,
  ].join("\n\n");
}

const reasons: Readonly<Record<RunResult["stopped"], string>> = {
  "all epochs done": "all epochs were done",
  "all steps done": "all steps were done",
  "labels stay": "the labels did not change any more",
  "the loss stays": "the loss did not change any more",
};

function scores({ description: { result } }: CardData): string {
  const without = Object.entries(result.measures).filter(([, value]) => Number.isFinite(value));
  const against = Object.entries(result.scores ?? {});
  const about = (name: string): string =>
    Object.hasOwn(metrics, name) ? metrics[name as keyof typeof metrics].description : "";
  return [
    "## Scores",
    `Without labels: ${without.map(([name, value]) => `${markdownText(name)} ${shown(value as number)}`).join(", ") || "none"}.`,
    ...(against.length > 0
      ? [
          "Against labels, which were used for this table and for nothing else:",
          [
            "| score | value | what it tells |",
            "|:---|---:|:---|",
            ...against.map(
              ([name, value]) => `| ${markdownText(name)} | ${shown(value)} | ${markdownText(about(name))} |`,
            ),
          ].join("\n"),
        ]
      : []),
  ].join("\n\n");
}

function use({ name, description: { source, settings, result } }: CardData): string {
  const { row } = source;
  const note = settings.encoder
    ? "\n\nThe encoder is inside model.onnx. Where it could not be joined, the metadata of model.onnx has `input`: then run encoder.onnx first, and give its output, flattened to [n, d], to model.onnx."
    : "";
  return `## How to use it

On the command line, in this folder's parent:

\`\`\`sh
telltale assign ${shellPath(name)} new.csv --format csv > assigned.csv
telltale explain ${shellPath(name)} --row 0${methodHint({ settings })}
\`\`\`

From TypeScript:

\`\`\`ts
import { load } from "telltale";
const model = await load(${jsonText(name)}${settings.methodFile ? `, { method: ${jsonText(`./${settings.methodFile.file}`)} }` : ""});
const clusters = await model.predict(rows); // rows of ${row.join("×")} numbers
\`\`\`

From Python, or anything else that runs ONNX:

\`\`\`python
import numpy as np, onnxruntime
session = onnxruntime.InferenceSession("model.onnx")
x = np.zeros((5, ${row.join(", ")}), dtype=np.float32)  # your rows, in their own units
label, probabilities, distances, z = session.run(["label", "probabilities", "distances", "z"], {"x": x})
# label (5,), probabilities and distances (5, ${clusterCount(result.plan)})
\`\`\`${note}`;
}

function limits(): string {
  return `## What to keep in mind

- Clusters are groups that look alike to this model, not classes that somebody defined; another seed or number of clusters may draw other lines.
- \`confidence\` is the model's probability of the row's own cluster. It says how clearly the row is on one side, not how likely it is that the cluster is right for your purpose, nor that the row belongs to any.
- \`outlier\` says whether it does: 0.99 means farther out than 99 % of the cluster's rows, 41 means 41 times as far out as the farthest of them. A row from elsewhere is still given the nearest cluster; look at \`outlier\` first.
- Rows that differ from those it was fitted to (other units, another sensor, another year) may be placed anywhere.`;
}

function origin({ description: { telltale, created, version } }: CardData): string {
  return `Made by Telltale ${markdownText(telltale)} on ${markdownText(created.slice(0, 10))} (run format ${version}).`;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(4)));
}
