/**
 * curation.jsonl: who has changed what about a clustering, and when. Lines are only added; the fit beside it never
 * changes. Whoever wrote it, every line is checked before it is used.
 */

import { sha256 } from "../../disk/sha256.ts";
import { parseJson } from "../../formats/json.ts";
import { problemIn, type Schema } from "../../formats/schema.ts";
import {
  type Edit,
  type Entry,
  entrySchema,
  headerSchema,
  type LogHeader,
  type LogPosition,
} from "./schemas/curation.ts";

export const logFile = "curation.jsonl";

export interface CurationLog {
  readonly header: LogHeader;
  readonly entries: readonly Entry[];
  /** The lines as they stand in the file, the first included. */
  readonly lines: readonly string[];
}

/** An edit that counts, by the number of its line. */
export interface Counting {
  readonly number: number;
  readonly edit: Edit;
  /** The SHA-256 of what it has learned, where that was written down. */
  readonly made?: string;
}

/** What the lines come to: the edits that count, and those that were taken back and may come again. */
export interface Replayed {
  readonly edits: readonly Counting[];
  readonly undone: readonly Counting[];
}

/** A log without a line. */
export function emptyLog(fit: string): CurationLog {
  const header: LogHeader = { format: "telltale curation", version: 1, fit };
  return { header, entries: [], lines: [JSON.stringify(header)] };
}

/** A last line that was cut off is none: whoever was to write it has not done so. */
export function parsedLog(path: string, content: string): CurationLog {
  const lines = content.split("\n").slice(0, -1);
  const [first, ...rest] = lines;
  if (first === undefined) throw broken(path, 1, "has no first line");
  const header = checked(path, 1, first, headerSchema);
  const entries = rest.map((line, i) => checked(path, i + 2, line, entrySchema));
  const wrong = entries.findIndex(({ number }, i) => number !== i + 1);
  if (wrong >= 0) {
    throw broken(path, wrong + 2, `must have number, ${wrong + 1}, got ${entries[wrong]!.number}`);
  }
  const log = { header, entries, lines };
  replay(log, path);
  return log;
}

function checked<T>(path: string, line: number, said: string, schema: Schema<T>): T {
  let found: unknown;
  try {
    found = parseJson(said);
  } catch {
    throw broken(path, line, "is no JSON");
  }
  const problem = problemIn("it", schema, found);
  if (problem) throw broken(path, line, problem.replace(/^it /, ""));
  return found as T;
}

function broken(path: string, line: number, problem: string): RangeError {
  return new RangeError(
    `${path}: ${logFile} is damaged: line ${line} ${problem}; restore the file, or use the run as it was fitted with --original`,
  );
}

/** The edits that count: undo takes the last of them back, redo brings it again until another edit comes. */
export function replay({ entries }: Pick<CurationLog, "entries">, path = "curation"): Replayed {
  const edits: Counting[] = [];
  let undone: Counting[] = [];
  for (const { number, edit, made } of entries) {
    if (edit.kind === "apply") continue;
    if (edit.kind === "undo" || edit.kind === "redo") {
      const [from, to] = edit.kind === "undo" ? [edits, undone] : [undone, edits];
      const last = from.pop();
      if (!last) throw broken(path, number + 1, `has nothing to ${edit.kind}`);
      to.push(last);
    } else {
      edits.push({ number, edit, ...(made !== undefined && { made }) });
      undone = [];
    }
  }
  return { edits, undone };
}

/** How many lines after the first are done; those after wait for their rows. */
export function doneEntries({ entries }: Pick<CurationLog, "entries">): number {
  return entries.findLastIndex(({ waits }) => !waits) + 1;
}

/** The log as far as so many lines after the first. */
export function upTo({ header, entries, lines }: CurationLog, count: number): CurationLog {
  return { header, entries: entries.slice(0, count), lines: lines.slice(0, count + 1) };
}

export function positionOf({ entries, lines }: CurationLog): LogPosition {
  return { entries: entries.length, sha256: sha256(new TextEncoder().encode(textOf(lines))) };
}

export function withEntry({ header, entries, lines }: CurationLog, entry: Omit<Entry, "number">): CurationLog {
  const next = { number: entries.length + 1, ...entry };
  return { header, entries: [...entries, next], lines: [...lines, JSON.stringify(next)] };
}

/** The text of the file. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
