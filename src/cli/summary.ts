/** What came out of a training, for people and as JSON. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { ClusterSummary, Run } from "../doors/inside.ts";
import { decidingWords, doubtAbout, noneWords, notUsed, shortNames, taughtWords } from "../doors/learn.ts";
import { percent } from "../text/shares.ts";
import { shellPath } from "../text/shellText.ts";
import { terminalText } from "../text/terminalText.ts";
import { thousands } from "../text/thousands.ts";
import { counted, decimal, duration, pairs, table } from "./tables.ts";

export function fittedJson(run: Run, clusters: readonly ClusterSummary[]) {
  const { source, settings, choice, result } = run.description;
  const report = reportOf(run);
  return {
    path: run.path,
    source: source.name,
    rows: source.rows,
    ...(source.dropped !== undefined && { dropped: { rows: source.dropped, file: join(run.path, "dropped.csv") } }),
    method: settings.method,
    profile: settings.profile,
    seed: settings.seed,
    clusters: clusters.map(({ cluster, name, namedBy, size, share }) => ({
      ...{ cluster, name },
      ...(namedBy !== undefined && { namedBy }),
      ...{ size, share },
    })),
    ...(choice && { choice }),
    measures: result.measures,
    ...(result.taught && { taught: { ...(settings.teacher && { from: settings.teacher.from }), ...result.taught } }),
    ...(result.scores && { scores: shortNames(result.scores) }),
    ...(result.deciding && { deciding: result.deciding }),
    notices: result.notices,
    seconds: result.seconds,
    ...(report !== undefined && { report }),
  };
}

export function fittedText(run: Run, clusters: readonly ClusterSummary[]): string {
  const { source, settings, choice, result } = run.description;
  const report = reportOf(run);
  const there = clusters.filter(({ size }) => size > 0);
  const asked = there.length < clusters.length ? ` of ${clusters.length} asked for` : "";
  const found = `${counted(there.length, "cluster")}${asked} in ${counted(source.rows, "row")} of ${source.name === "-" ? "standard input" : basename(source.name)}`;
  return [
    terminalText(`${found}, by ${settings.method} in ${duration(result.seconds)}`),
    ...(choice ? [terminalText(choice.reason)] : []),
    "",
    clusterTable(there),
    "",
    pairs([
      ...namedByPairs(there),
      ["measures", numbers(result.measures)],
      ...(result.scores ? ([["scores", numbers(shortNames(result.scores), ["acc", "nmi", "ari"])]] as const) : []),
      ...taughtPairs(run),
      ...(result.deciding ? ([["note", decidingWords(result.deciding)]] as const) : []),
      ...droppedPairs(run),
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
    clusters.map(({ cluster, size, share, name }) => [String(cluster), thousands(size), percent(share, 1), name]),
  );
}

/** Columns that names are from, and clusters are not. */
function namedByPairs(clusters: readonly ClusterSummary[]): [string, string][] {
  const columns = [...new Set(clusters.flatMap(({ namedBy }) => namedBy ?? []))];
  return columns.length > 0 ? [["names", `from ${columns.join(", ")}, ${notUsed}`]] : [];
}

/** What it was taught, what of that is in doubt, and which rows are not where they were taught to be. */
function taughtPairs(run: Run): [string, string, boolean?][] {
  const { result, settings } = run.description;
  if (!result.taught) return [];
  const doubt = doubtAbout(result.taught);
  const { agreement, held, none } = result.taught;
  const isRepeated = agreement === 1 && (held?.agreement ?? 1) === 1;
  const differing = isRepeated ? undefined : fileOf(run, "differences.csv");
  return [
    ["taught", taughtWords(result.taught, settings.teacher?.from)],
    ...(none ? ([["none", noneWords(none)]] as [string, string][]) : []),
    ...(doubt === undefined ? [] : ([["note", doubt]] as [string, string][])),
    ...(differing === undefined ? [] : ([["differing", differing, true]] as [string, string, boolean][])),
  ];
}

/** Rows that were left out, and where they are listed. */
function droppedPairs(run: Run): [string, string, boolean?][] {
  const { dropped } = run.description.source;
  const file = fileOf(run, "dropped.csv");
  if (dropped === undefined) return [];
  return [["left out", `${counted(dropped, "row")} with missing values${file ? `: ${file}` : ""}`, true]];
}

/** loss 0.0123, silhouette 0.41 */
function numbers(values: object, wanted = Object.keys(values)): string {
  return Object.entries(values)
    .filter(([name, value]) => wanted.includes(name) && typeof value === "number")
    .map(([name, value]) => `${name} ${decimal(value)}`)
    .join(", ");
}

function reportOf(run: Run): string | undefined {
  return fileOf(run, "report.html");
}

function fileOf({ path }: Run, name: string): string | undefined {
  const file = join(path, name);
  return existsSync(file) ? file : undefined;
}
