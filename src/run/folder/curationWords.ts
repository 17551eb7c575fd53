/** Edits in words, for the command line, the page and the report. */

import { type CurationLog, doneEntries, replay } from "./curationLog.ts";
import type { Entry, Step } from "./schemas/curation.ts";

const words: { readonly [K in Step["kind"]]: (step: Extract<Step, { readonly kind: K }>) => string } = {
  rename: ({ cluster, name }) => `cluster ${cluster} is called “${name}”`,
  merge: ({ clusters, name }) =>
    `clusters ${listed(clusters.map(String))} are one${name === undefined ? "" : `, “${name}”`}`,
  split: ({ cluster, into, teacher, names }) =>
    `cluster ${cluster} is split into ${into} by ${teacher}${names ? `: ${listed(names.map((name) => `“${name}”`))}` : ""}`,
  move: ({ rows, to }) => `${counted(rows.length)} moved to cluster ${to}`,
  gather: ({ rows, name }) => `${counted(rows.length)} gathered into a cluster, “${name}”`,
  mark: ({ rows, tag }) => `${counted(rows.length)} ${tag === "" ? "no longer marked" : `marked “${tag}”`}`,
  follow: ({ rows }) => `the centers have followed ${rows === 1 ? "a row" : `${rows} rows`} of a stream`,
  undo: () => "the edit before is taken back",
  redo: () => "the edit that was taken back is made again",
  apply: () => "what waited is done",
};

/** What a line of the log says; clusters have the numbers that they had then. */
export function editWords(step: Step): string {
  return (words[step.kind] as (step: Step) => string)(step);
}

/** An edit, and what has become of it. */
export interface PastEdit {
  readonly number: number;
  readonly at: string;
  readonly who: string;
  readonly kind: Entry["edit"]["kind"];
  readonly words: string;
  readonly state: "holds" | "undone" | "waits";
}

/** All edits in their order; undo and redo show in what became of them. */
export function pastEdits(log: CurationLog): readonly PastEdit[] {
  const holding = new Set(replay(log).edits.map(({ number }) => number));
  const done = doneEntries(log);
  return log.entries
    .filter(({ edit: { kind } }) => kind !== "undo" && kind !== "redo" && kind !== "apply")
    .map(({ number, at, who, edit }) => ({
      ...{ number, at, who, kind: edit.kind, words: editWords(edit) },
      state: !holding.has(number) ? "undone" : number > done ? "waits" : "holds",
    }));
}

function counted(rows: number): string {
  return rows === 1 ? "a row is" : `${rows} rows are`;
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
