/** What is said about a column: its role, what it holds, and why. Plain values, for a report, a file or a terminal. */

import { thousands } from "../text/thousands.ts";
import type { Column } from "./column.ts";
import type { Role } from "./columnGuess.ts";
import type { ColumnRole } from "./roles.ts";

export interface ColumnReport {
  readonly name: string;
  readonly role: Role;
  /** Whether it is learned from. */
  readonly isUsed: boolean;
  /** In words: number, whole (numbers), text, date, boolean, vector of 3. */
  readonly type: string;
  /** The share of rows without a value. */
  readonly missing: number;
  /** How many different values it has. */
  readonly distinct?: number;
  /** Of numbers: the least, the middle and the most; of dates, the first and the last day. */
  readonly range?: readonly (number | string)[];
  /** The most frequent values with the shares of rows, where there are few. */
  readonly top?: readonly (readonly [value: string, share: number])[];
  readonly reason: string;
}

/** So many frequent values are told, of so many in all. */
const [mostTop, fewValues] = [3, 12];
/** Of more, where the first has such a share of the rows. */
const leastTop = 0.05;
/** And so many letters of each. */
const longest = 40;

export function columnReport({ column, role, isUsed, reason }: ColumnRole): ColumnReport {
  const { name, facts } = column;
  const bare = { name, role, isUsed, type: typeOf(column), reason };
  if (!facts) return { ...bare, missing: 0 };
  const { rows, missing, distinct, values } = facts;
  const isListed = isTelling(column);
  const range = rangeOf(column);
  return {
    ...bare,
    missing: rows > 0 ? missing / rows : 0,
    ...(column.kind !== "vector" && column.kind !== "other" && { distinct }),
    ...(range && !isListed && { range }),
    ...(isListed && values && { top: values.slice(0, mostTop).map(([value, n]) => [cut(value), n / rows]) }),
  };
}

/** Whether its frequent values tell more than its range, or the number of its values. */
function isTelling({ kind, facts }: Column): boolean {
  if (!facts?.values || kind === "date" || facts.values[0]![1] < 2) return false;
  if (kind === "number") return facts.distinct <= 2;
  return facts.distinct <= fewValues || facts.values[0]![1] >= leastTop * facts.rows;
}

function typeOf({ kind, length, facts }: Column): string {
  if (kind === "vector") return `vector of ${length ?? 0}`;
  return kind === "number" && facts?.whole ? "whole" : kind;
}

function rangeOf({ kind, facts }: Column): (number | string)[] | undefined {
  const { least, most, quantiles } = facts ?? {};
  if (least === undefined || most === undefined || !Number.isFinite(least) || !Number.isFinite(most)) return undefined;
  if (kind === "date") return [dayOf(least), dayOf(most)];
  return [least, ...(quantiles ? [quantiles[2]!] : []), most];
}

/** Of days since 1970: 2024-05-01. */
function dayOf(days: number): string {
  const date = new Date(days * 86_400_000);
  return Number.isNaN(date.getTime()) ? String(days) : date.toISOString().slice(0, 10);
}

function cut(text: string, most = longest): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join("")}…` : text;
}

/**
 * What it holds, in words: 0.42 … 28 … 80; male 65 %, female 35 %; 681 values. Of frequent values as many are told as
 * there is room for, in letters.
 */
export function valueWords(
  { range, top, distinct, type }: ColumnReport,
  written: (value: number) => string,
  room = Number.POSITIVE_INFINITY,
): string {
  const words = (value: number | string): string => (typeof value === "number" ? written(value) : value);
  if (top) {
    const told = (count: number, cutTo = room): string => {
      const shown = top.slice(0, count).map(([value, share]) => `${cut(value, cutTo)} ${Math.round(100 * share)} %`);
      const more = (distinct ?? top.length) - count;
      return `${shown.join(", ")}${more > 0 ? `, ${more} more` : ""}`;
    };
    for (let count = top.length; count > 1; count--) if (told(count).length <= room) return told(count);
    const [[value]] = top as [(typeof top)[number]];
    return told(1, room - (told(1).length - [...cut(value, room)].length));
  }
  if (range) return range.map(words).join(" … ");
  if (!distinct || type.startsWith("vector")) return "";
  return `${thousands(distinct)} ${distinct === 1 ? "value" : "values"}`;
}

/** What each role means, for people. */
export const roleWords: Readonly<Record<Role, string>> = {
  feature: "learned from",
  id: "names the rows",
  label: "known classes, for scores only",
  time: "when it was",
  text: "to be read, not learned from",
  ignored: "left out",
};

/** Why it is so, and what is done with it where the role does not say that. */
export function reasonWords({ role, isUsed, reason }: ColumnReport): string {
  return role === "time" ? `${reason}, ${isUsed ? "learned from" : "not learned from"}` : reason;
}
