/** What came out of a training, for people and as JSON. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type ClusterSummary, type Run, shortNames } from "../doors/inside.ts";
import { shellPath } from "../text/shellText.ts";
import { terminalText } from "../text/terminalText.ts";
import { counted, decimal, duration, pairs, percent, table, whole } from "./tables.ts";

export function fittedJson(run: Run, clusters: readonly ClusterSummary[]) {
  const { source, settings, choice, result } = run.description;
  const report = reportOf(run);
  return {
    path: run.path,
    source: source.name,
    rows: source.rows,
    method: settings.method,
    profile: settings.profile,
    seed: settings.seed,
    clusters: clusters.map(({ cluster, name, size, share }) => ({ cluster, name, size, share })),
    ...(choice && { choice }),
    measures: result.measures,
    ...(result.scores && { scores: shortNames(result.scores) }),
    notices: result.notices,
    seconds: result.seconds,
    ...(report !== undefined && { report }),
  };
}

export function fittedText(run: Run, clusters: readonly ClusterSummary[]): string {
  const { source, settings, choice, result } = run.description;
  const report = reportOf(run);
  const found = `${counted(clusters.length, "cluster")} in ${counted(source.rows, "row")} of ${source.name === "-" ? "standard input" : basename(source.name)}`;
  return [
    terminalText(`${found}, by ${settings.method} in ${duration(result.seconds)}`),
    ...(choice ? [terminalText(choice.reason)] : []),
    "",
    clusterTable(clusters),
    "",
    pairs([
      ["measures", numbers(result.measures)],
      ...(result.scores ? ([["scores", numbers(shortNames(result.scores), ["acc", "nmi", "ari"])]] as const) : []),
      ...(report === undefined ? [] : ([["report", report, true]] as const)),
      ["use it", `telltale assign ${shellPath(run.path)} FILE`, true],
    ]),
  ].join("\n");
}

export function clusterTable(clusters: readonly ClusterSummary[]): string {
  return table(
    [
      { title: "cluster", align: "right" },
      { title: "size", align: "right" },
      { title: "share", align: "right" },
      { title: "name" },
    ],
    clusters.map(({ cluster, size, share, name }) => [String(cluster), whole(size), percent(share), name]),
  );
}

/** loss 0.0123, silhouette 0.41 */
function numbers(values: object, wanted = Object.keys(values)): string {
  return Object.entries(values)
    .filter(([name, value]) => wanted.includes(name) && typeof value === "number")
    .map(([name, value]) => `${name} ${decimal(value)}`)
    .join(", ");
}

function reportOf({ path }: Run): string | undefined {
  const report = join(path, "report.html");
  return existsSync(report) ? report : undefined;
}
