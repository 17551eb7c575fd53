/** What a student is taught, and how well it has learned. */

import { Random } from "../tensor/random.ts";

/** How one way to a partition did where several were compared without labels. */
export interface TriedTeacher {
  /** What it saw: the columns, or the network's codes of them. */
  readonly view: string;
  readonly teacher: string;
  readonly score: number;
  readonly error: number;
}

/** A clustering that was made elsewhere. */
export interface OwnLabels {
  /** The cluster of each row, from 0; −1 where it has none. */
  readonly labels: Int32Array;
  /** What the clusters are called. */
  readonly names: readonly string[];
}

export interface Lesson {
  /** The cluster of each row, from 0; −1 where it is not taught. */
  readonly labels: Int32Array;
  /** From which pretraining the student goes on. */
  readonly pretraining: number;
  /** A teacher's name, or "yours". */
  readonly teacher: string;
  /** What the teacher saw. */
  readonly view: string;
  /** Why this one, in a sentence. */
  readonly reason: string;
  readonly tried: readonly TriedTeacher[];
  /** Where the rows themselves serve as codes (plainRows.ts). */
  readonly network?: "none";
  /** What the clusters are called, where a person has said so. */
  readonly names?: readonly string[];
}

/** Of a lesson, what is told about it. */
export interface Taught extends Omit<Lesson, "labels"> {
  /** How many rows were taught, and on how many of them the student says what the teacher says. */
  readonly rows: number;
  readonly agreement: number;
  /** The same on rows whose labels it never saw, where there are any; by cluster, and the error of probabilities. */
  readonly held?: Held;
  /** Where the teacher left rows without a cluster: which rows belong to none, and how well that is told. */
  readonly none?: NoneRule;
  /** Whether the centers are the means of their members, or what was learned. */
  readonly centers: "means" | "learned";
}

/** When a row belongs to no cluster (none.ts). */
export interface NoneRule {
  /** How many rows the teacher left without a cluster, and how many of them were held out to judge by. */
  readonly rows: number;
  readonly held: number;
  /** D of models of before, E, and Q with the place of the neighbour that it is about. */
  readonly distance: number;
  readonly error: number;
  readonly near?: { readonly place: number; readonly limit: number };
  /**
   * How well s tells the latter from rows held out that have a cluster, 0.5 by chance and 1 always; and how well
   * neighbours do.
   */
  readonly auroc: number;
  readonly neighbours: number;
  /** Whether rows are told that they belong to none: not where s knows no more than chance. */
  readonly isSaid: boolean;
}

export interface Held {
  readonly rows: number;
  readonly agreement: number;
  /** The share of the largest cluster among them: how often one is right who always says the same. */
  readonly chance: number;
  /** Of each cluster of the teacher's, the share; −1 where none of its rows was held out. */
  readonly clusters: readonly number[];
  /** Expected calibration error: how far probabilities are from how often they are right. */
  readonly calibration: number;
}

/** Only some methods can be taught: whoever gives another a teacher is told so. */
export function checkTaught({ name: where, isTaught = false }: { readonly name: string; readonly isTaught?: boolean }) {
  if (!isTaught) throw new RangeError(`${where}: takes no teacher; the method that learns from one is telltale`);
}

/** What people write where a row has no cluster: nothing, −1, or no number. */
const isNone = (label: unknown): boolean =>
  label === null ||
  label === undefined ||
  label === -1 ||
  Number.isNaN(label) ||
  (typeof label === "string" && /^(-1(\.0+)?|nan)?$/i.test(label.trim()));

/** A whole number that was written as one with decimals is the whole number. */
const nameOf = (label: string): string => label.replace(/^(-?\d+)\.0+$/, "$1");

/** Labels that are numbered already, by the place of each among these names; −1 for none. */
export function numberedLabels(where: string, numbers: Int32Array, names: readonly string[]): OwnLabels {
  const plain = names.map((name) => (isNone(name) ? undefined : nameOf(name)));
  const kept = [...new Set(plain.filter((name) => name !== undefined))].sort(byNumberOrName);
  if (kept.length === 0) throw nobody(where, numbers.length);
  const placeOf = new Map(kept.map((name, j) => [name, j]));
  const places = plain.map((name) => (name === undefined ? -1 : placeOf.get(name)!));
  return { labels: numbers.map((number) => (number < 0 ? -1 : places[number]!)), names: kept };
}

function nobody(where: string, rows: number): RangeError {
  return new RangeError(`${where}: a teacher must name a cluster for some row, got none for all of ${rows}`);
}

/**
 * Labels as people have them, text or whole numbers: clusters are numbered as numbers are, or else by the alphabet.
 * None is −1, null, or an empty text.
 */
export function ownLabels(where: string, given: ArrayLike<unknown> | OwnLabels): OwnLabels {
  if ("names" in given) return checkedLabels(where, given);
  const said = Array.from(given, (label, row) => {
    if (isNone(label)) return undefined;
    const isName = typeof label === "string" || typeof label === "bigint" || Number.isInteger(label);
    if (isName) return nameOf(String(label));
    throw new TypeError(
      `${where}: a teacher's labels must be texts or whole numbers, got ${String(label)} in row ${row}`,
    );
  });
  const names = [...new Set(said.filter((name) => name !== undefined))].sort(byNumberOrName);
  if (names.length === 0) throw nobody(where, said.length);
  const numbers = new Map(names.map((name, j) => [name, j]));
  return { labels: Int32Array.from(said, (name) => (name === undefined ? -1 : numbers.get(name)!)), names };
}

/** Labels whose clusters have their names already. */
function checkedLabels(where: string, { labels, names }: OwnLabels): OwnLabels {
  const wrong = labels.findIndex((label) => label < -1 || label >= names.length);
  if (wrong < 0) return { labels, names };
  throw new RangeError(
    `${where}: a teacher's labels must be from -1 to ${names.length - 1}, a name for each, got ${labels[wrong]} in row ${wrong}`,
  );
}

/** Numbers by their size, before all that is none. */
function byNumberOrName(one: string, other: string): number {
  const [a, b] = [one, other].map((name) => (Number.isNaN(Number(name)) ? Number.MAX_VALUE : Number(name)));
  return a! - b! || (one < other ? -1 : one > other ? 1 : 0);
}

/** So large a share of each cluster is not taught: it shows what was learned, and how sure one may be. */
const share = 0.1;

/** Of rows without a cluster so many at least, and no more than half. */
const fewestStrangers = 50;

/** What is taught, and what is held out. */
export interface Split {
  /** Labels, −1 elsewhere; those held out are a share of each cluster. */
  readonly taught: Int32Array;
  readonly held: Int32Array;
  /** Rows without a label that are held out as well. */
  readonly strangers: readonly number[];
}

function heldOut(labels: Int32Array, clusters: number, random: Random): Split {
  const sizes = new Int32Array(clusters);
  for (const label of labels) if (label >= 0) sizes[label]!++;
  const left = sizes.map((size) => Math.floor(share * size));
  const none = labels.length - sizes.reduce((sum, size) => sum + size, 0);
  const wanted = Math.floor(Math.min(none / 2, Math.max(share * none, fewestStrangers)));
  const strangers: number[] = [];
  const [taught, held] = [labels.slice(), new Int32Array(labels.length).fill(-1)];
  for (const row of random.permutation(labels.length)) {
    const label = labels[row]!;
    if (label < 0 && strangers.length < wanted) strangers.push(row);
    if (label < 0 || left[label] === 0) continue;
    left[label]!--;
    held[row] = label;
    taught[row] = -1;
  }
  return { taught, held, strangers };
}

/** The same by the seed of a plan: whoever asks again is told the same. */
export function heldOutBy(
  { seed, clusters }: { readonly seed: number; readonly clusters: number },
  labels: Int32Array,
): Split {
  return heldOut(labels, clusters, Random.seeded(seed).fork("lesson").fork("held out"));
}

/** The share of rows with a label that have got it; 1 where there are none. */
export function agreementOf(found: Int32Array, labels: Int32Array): number {
  let [same, all] = [0, 0];
  labels.forEach((label, i) => {
    if (label < 0) return;
    all++;
    if (found[i] === label) same++;
  });
  return all === 0 ? 1 : same / all;
}
