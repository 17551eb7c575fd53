/**
 * What a column is for, as far as it can be told from its name and its values. Nothing here depends on the order of
 * columns or rows, and every answer has a reason for people to read.
 */

import { thousands } from "../text/thousands.ts";
import type { Column, ColumnFacts } from "./column.ts";
import { isUnnamed, plainName, tells } from "./columnNames.ts";

export type Role = "feature" | "id" | "label" | "time" | "text" | "ignored";

export interface Guess {
  readonly role: Role;
  readonly reason: string;
}

/** With fewer rows, numbers are a counter or a key only by what they are called, */
const leastRows = 16;
/** and with fewer than these not even so: any few numbers are different, or the same. */
const fewRows = 8;
/** Texts are seldom different by chance. */
const fewTexts = 3;
/** With more missing there is hardly anything to learn. */
const mostMissing = 0.9;
/**
 * n rows in a range of R whole numbers are all different by chance with probability about exp(−n² / 2R): beyond this
 * exponent (less than 1 in 148) chance is no explanation.
 */
const keyExponent = 5;
/** Texts are categories up to so many values with so many rows each, on average. */
const categories = [
  { values: 64, rows: 3 },
  { values: 256, rows: 20 },
];
/** Fewer values may well have as many rows each: those of an experiment do. */
const leastBalanced = 8;
/** Texts of so many words on average are read, not counted, if there are more than a few of them. */
const sentence = { words: 5, values: 8 };

export interface GuessSettings {
  /** Columns of which somebody has said what they are for: they take nobody's place. */
  readonly taken?: ReadonlySet<string>;
  /** Whether somebody has said which column is the label, or that there is none. */
  readonly isLabelSaid?: boolean;
}

/** What each column would be used for, as far as nobody said so. */
export function guessRoles(
  columns: readonly Column[],
  { taken = new Set(), isLabelSaid = false }: GuessSettings = {},
): Map<string, Guess> {
  const isCoordinate = columns.some(({ name }) => /^x$/i.test(name));
  const areUnnamed = columns.every(({ name }) => isUnnamed(name));
  const around = { isLabelSaid, isCoordinate, areUnnamed };
  const guesses = new Map(columns.map((column) => [column.name, guessOf(column, around)] as const));
  const free = columns.filter(({ name }) => !taken.has(name));
  chooseLabel(free, guesses);
  chooseIds(free, guesses);
  leaveRepeated(free, guesses);
  return guesses;
}

interface Around extends Required<Pick<GuessSettings, "isLabelSaid">> {
  /** Whether a y would be a coordinate. */
  readonly isCoordinate: boolean;
  /** Whether no column has a name, so that having none tells nothing. */
  readonly areUnnamed: boolean;
}

function guessOf(column: Column, around: Around): Guess {
  const { name, kind, facts } = column;
  if (kind === "empty") return ignored("has no values");
  if (column.trouble !== undefined) return ignored(column.trouble);
  if (kind === "other") return ignored("is of a type that is not read");
  if (kind === "vector") return feature("vectors");
  if (isLabel(column, around)) return { role: "label", reason: "is called like known classes: for scores only" };
  // Of a column at which nobody has looked, its kind and its name are all there is.
  if (!facts) return bareGuess(column);
  if (facts.distinct <= 1 && facts.rows >= fewRows)
    return ignored(facts.missing > 0 ? "has one value only" : "is the same in every row");
  if (facts.missing > mostMissing * facts.rows) return ignored(`${share(facts.missing, facts.rows)} missing`);
  if (kind === "number") return guessOfNumbers(name, facts, isUnnamed(name) && !around.areUnnamed);
  if (kind === "date") return { role: "time", reason: isUnique(facts) ? "a moment of its own for each row" : "dates" };
  if (kind === "boolean") return feature("yes or no");
  return guessOfTexts(name, facts, isUnnamed(name) && !around.areUnnamed);
}

function bareGuess({ name, kind, unique }: Column): Guess {
  if (unique && tells(name, "id")) return id("is called like an id");
  if (kind === "date") return { role: "time", reason: "dates" };
  if (kind === "number" || kind === "boolean") return feature(kind === "number" ? "numbers" : "yes or no");
  return unique ? id("no text is there twice") : { role: "text", reason: "texts" };
}

/** Classes are few, and each has rows; a y beside an x is a coordinate. */
function isLabel({ name, facts }: Column, { isLabelSaid, isCoordinate }: Around): boolean {
  if (isLabelSaid || !tells(name, "label") || (isCoordinate && /^y$/i.test(name))) return false;
  return facts === undefined || facts.rows < leastRows || isCategory(facts);
}

function guessOfNumbers(name: string, facts: ColumnFacts, isUnnamedAmongNamed: boolean): Guess {
  const { rows, distinct, least = 0, most = 0, whole = false } = facts;
  const [unique, range] = [isUnique(facts), most - least + 1];
  const isDense = whole && (least === 0 || least === 1) && distinct === range;
  const counts = `counts the rows, from ${least} to ${most}`;
  if (unique && tells(name, "id") && whole) return id("is called like an id, and no value is there twice");
  if (unique && isDense && rows >= (tells(name, "counter") || isUnnamedAmongNamed ? fewRows : leastRows)) {
    return tells(name, "time") ? moment("counts time, one step for each row") : ignored(counts);
  }
  if (isDense && rows >= leastRows && tells(name, "counter")) return ignored(`counts rows, from ${least} to ${most}`);
  if (tells(name, "moment")) return moment("is called like a moment");
  if (unique && tells(name, "time") && rows >= leastRows && isEven(facts))
    return moment("a moment of its own for each row");
  if (isUnnamedAmongNamed && unique && whole && rows >= fewRows) return ignored("numbers the rows, and has no name");
  if (whole && (tells(name, "id") || tells(name, "whose"))) {
    return unique
      ? id("is called like an id, and no value is there twice")
      : ignored("is a key that repeats: it says who, not what");
  }
  if (whole && tells(name, "code") && distinct > sentence.values) {
    if (unique) return id("is called like a code, and no value is there twice");
    if (distinct > categories[0]!.values) return ignored("is a code: its numbers measure nothing");
  }
  if (unique && whole && rows >= leastRows && rows ** 2 / (2 * range) > keyExponent) {
    return id(`no value is there twice, though there are only ${thousands(range)} between the least and the most`);
  }
  if (whole && isBalanced(facts) && !tells(name, "time")) {
    return ignored("is a key that repeats: each value has just as many rows");
  }
  if (distinct === 2) return feature("two values");
  return feature(whole ? "whole numbers" : "numbers");
}

function guessOfTexts(name: string, facts: ColumnFacts, isUnnamedAmongNamed: boolean): Guess {
  const { rows, distinct, letters = 0, words = 1, missing } = facts;
  const unique = isUnique(facts);
  if (tells(name, "id") || tells(name, "whose")) {
    if (unique) return id("is called like an id, and no value is there twice");
    if (tells(name, "id")) return ignored("is a key that repeats: it says who, not what");
  }
  const isLong = words >= sentence.words || letters > 80;
  if (isLong && distinct > sentence.values) {
    return { role: "text", reason: `texts of ${Math.round(words)} words on average` };
  }
  if (unique && rows >= fewTexts) return id(isUnnamedAmongNamed ? "names the rows" : "no text is there twice");
  if (isCategory(facts))
    return feature(distinct === 2 ? "two values" : distinct === 1 ? "one value" : `${distinct} values`);
  const present = rows - missing;
  return {
    role: "text",
    reason: `${thousands(distinct)} different texts in ${thousands(present)} rows, too many for categories`,
  };
}

/** Whether values are few and come again and again. */
function isCategory({ rows, missing, distinct }: ColumnFacts): boolean {
  const each = (rows - missing) / Math.max(1, distinct);
  return categories.some(({ values, rows: least }) => distinct <= values && each >= least);
}

/**
 * Whether many values have exactly as many rows each, as those of a panel do whom somebody asked again and again. Years
 * may, too.
 */
function isBalanced({ rows, missing, distinct, least = 0, most = 0, values: [first] = [] }: ColumnFacts): boolean {
  if (distinct < leastBalanced || (least >= 1500 && most <= 2100)) return false;
  return first !== undefined && first[1] > 1 && first[1] * distinct === rows - missing;
}

/** Whether numbers lie as far from each other everywhere, as those of a clock do; how long something took does not. */
function isEven({ least = 0, most = 0, quantiles = [] }: ColumnFacts): boolean {
  const range = most - least;
  return quantiles.every(
    (value, i) => Math.abs(value - least - [0.05, 0.25, 0.5, 0.75, 0.95][i]! * range) <= 0.02 * range,
  );
}

function isUnique({ rows, missing, distinct }: ColumnFacts): boolean {
  return missing === 0 && distinct === rows;
}

/** One column is the label; another that is called so would tell as much. */
function chooseLabel(columns: readonly Column[], guesses: Map<string, Guess>): void {
  const [label, ...rest] = columns
    .filter(({ name }) => guesses.get(name)!.role === "label")
    .sort((a, b) => plainName(a.name).length - plainName(b.name).length || (a.name < b.name ? -1 : 1));
  for (const { name } of rest) {
    guesses.set(name, ignored(`is called like known classes, as ${label!.name} is`));
  }
}

/** Where a name tells which column is the id, keys that only look like it are not; of texts, the shortest is. */
function chooseIds(columns: readonly Column[], guesses: Map<string, Guess>): void {
  const keys = columns.filter(({ name }) => guesses.get(name)!.role === "id");
  const telling = keys.filter(({ name }) => tells(name, "id") || tells(name, "whose") || tells(name, "code"));
  const texts = keys.filter(({ kind }) => kind === "text");
  const [best] = [...texts].sort((a, b) => order(a) - order(b) || (a.facts?.letters ?? 0) - (b.facts?.letters ?? 0));
  const chosen = telling.length > 0 ? telling : keys.filter((column) => column.kind !== "text" || column === best);
  for (const column of keys) {
    if (chosen.includes(column)) continue;
    const reason = `no value is there twice, and ${chosen[0]!.name} names the rows already`;
    guesses.set(column.name, { role: column.kind === "text" ? "text" : "ignored", reason });
  }
}

/** Row names have no name of their own. */
function order({ name }: Column): number {
  return isUnnamed(name) ? 0 : 1;
}

/** Of columns that say the same, one is learned from; what says the same as a label is no better than it. */
function leaveRepeated(columns: readonly Column[], guesses: Map<string, Guess>): void {
  const isFeature = ({ name }: Column): boolean => guesses.get(name)!.role === "feature";
  const named = new Map(columns.map((column) => [column.name, column]));
  const seen = new Set<Column>();
  for (const column of columns) {
    if (seen.has(column) || !column.repeats) continue;
    const group = [column, ...column.repeats.flatMap((name) => named.get(name) ?? [])];
    for (const each of group) seen.add(each);
    const label = group.find(({ name }) => guesses.get(name)!.role === "label");
    const [best, ...rest] = [...(label ? [label] : []), ...group.filter(isFeature).sort(byWorth)];
    for (const { name } of rest) guesses.set(name, ignored(`says the same as ${best!.name}`));
  }
}

const kinds: readonly Column["kind"][] = ["number", "boolean", "date", "text"];

/** Numbers before words, few missing before many, fine before coarse. */
function byWorth(a: Column, b: Column): number {
  return (
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
    (a.facts?.missing ?? 0) - (b.facts?.missing ?? 0) ||
    (b.facts?.distinct ?? 0) - (a.facts?.distinct ?? 0)
  );
}

function feature(reason: string): Guess {
  return { role: "feature", reason };
}

function id(reason: string): Guess {
  return { role: "id", reason };
}

function moment(reason: string): Guess {
  return { role: "time", reason };
}

function ignored(reason: string): Guess {
  return { role: "ignored", reason };
}

function share(part: number, all: number): string {
  return `${Math.floor((100 * part) / all)} %`;
}
