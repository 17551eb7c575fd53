/** How a command ended, and what was wrong with that. */

import type { Input } from "./input.ts";

export interface Outcome {
  /** Null where a signal or we ended it. */
  readonly code: number | null;
  /** The signal that ended it, unless it was ours. */
  readonly signal?: string;
  readonly out: string;
  readonly err: string;
  readonly isHanging?: boolean;
  /** In megabytes. */
  readonly peak: number;
  /** By the clock, from beginning to end. */
  readonly seconds: number;
  /** Paths that were changed and may not be. */
  readonly touched: readonly string[];
  /** What is wrong with what it has written, though it said that all was well. */
  readonly half?: string;
}

/** The six that must be 0, by the words in which they are printed. */
export const faultKinds = [
  "signals",
  "stack traces",
  "hangs over 30 s",
  "over the memory budget by 1.5 GB",
  "files touched outside the output",
  "half outputs with exit 0",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly detail: string;
}

/** In megabytes: what a process may take beyond what it was told. */
export const beyondBudget = 1500;

const stack = /\n\s+at .+:\d+:\d+|file:\/\/\/\S+:\d+|node:internal/;
/** What JavaScript says by itself, where somebody forgot to. */
const raw =
  /is not (a function|iterable|a constructor|defined|an object)|Cannot (read|set) propert|Cannot (convert|mix|destructure)|\bundefined\b|Maximum call stack|Invalid (typed )?(array|string) length|Array buffer allocation failed|\[object \w+\]|Cannot create a string longer|offset is out of bounds|bad_alloc|heap out of memory/;

export function faultsIn({ memory = 1000 }: Input, outcome: Outcome): Fault[] {
  const { signal, err, isHanging, peak, touched, half } = outcome;
  const found: Fault[] = [];
  const add = (kind: FaultKind, detail: string): void => void found.push({ kind, detail });
  if (signal) add("signals", `${signal}: ${lastLine(err)}`);
  if (stack.test(`\n${err}`)) add("stack traces", `a stack: ${lastLine(err)}`);
  else if (raw.test(err)) add("stack traces", `JavaScript's own words: ${lastLine(err)}`);
  if (isHanging) add("hangs over 30 s", lastLine(err));
  if (peak > memory + beyondBudget) add("over the memory budget by 1.5 GB", `${Math.round(peak)} MB`);
  if (touched.length > 0) add("files touched outside the output", touched.slice(0, 4).join(", "));
  if (half) add("half outputs with exit 0", half);
  return found;
}

/** What is no fault of the six and should not be either: words that do not help whoever reads them. */
export function notesOn({ code, err, isHanging, signal }: Outcome): string[] {
  if (code === 0 || isHanging || signal) return [];
  const lines = err.trimEnd().split("\n");
  const line = lines.at(-1) ?? "";
  return [
    ...(code !== null && ![1, 2, 130, 143].includes(code) ? [`exit code ${code}`] : []),
    ...(/^telltale( [a-z]+)?: ./.test(line) ? [] : ["the last line does not say who speaks"]),
    ...(/\p{Cc}/u.test(line) ? ["control characters"] : []),
    ...(line.length > 420 ? ["a line of more than 400 letters"] : []),
    ...(/\b(ENOSPC|EFBIG|EMFILE|EIO|EACCES|EPERM|ELOOP|EINVAL|EISDIR|ENXIO|ERR_[A-Z_]+)\b/.test(line)
      ? ["a raw code of the system"]
      : []),
    ...(/Unexpected (token|end)|JSON at position|\(line \d+ column|INTERNAL Error|Exception during init/.test(line)
      ? ["words of a parser"]
      : []),
  ].map((note) => `${note}: ${line.slice(0, 200)}`);
}

function lastLine(text: string): string {
  return text.trim().split("\n").slice(-6).join(" ⏎ ").slice(0, 300);
}

/** Faults of one cause look alike but for names and numbers. */
export function signatureOf({ kind, detail }: Fault, { words, what }: Input): string {
  const plain = detail.replaceAll(/\/\S*\/(work|outside|temporary|home)\b/g, "@").replaceAll(/\d[\d.,]*/g, "#");
  const where =
    kind === "signals" || kind.startsWith("hangs") || kind.startsWith("over")
      ? what.replaceAll(/ at [\d-]+|\d+/g, "")
      : "";
  return `${kind} | ${words[0]} | ${plain.slice(0, 90)} | ${where.slice(0, 60)}`;
}
