/** What the columns of a table in memory are like: the same facts by which the columns of a file get their roles. */

import { quantileOf } from "../../numerics/quantiles.ts";
import type { Column, ColumnFacts, ColumnValue } from "../column.ts";
import { type Cell, repeatsIn } from "../repeats.ts";
import type { HeldCell, HeldColumn, HeldTable } from "./heldTable.ts";

/** Columns of more values than this are not listed value by value; so many values of others are kept. */
const [mostListed, mostValues] = [1024, 64];
/** Rows of the sample by which columns are compared with each other, and cells of it. */
const [sampleRows, sampleCells] = [4096, 2 ** 21];

/** Columns of a table with all that is known of them. */
export function heldColumns({ columns, count }: HeldTable): Column[] {
  const seen = columns.filter(({ kind }) => kind !== "vector" && kind !== "other" && kind !== "empty");
  const most = Math.max(256, Math.min(sampleRows, Math.floor(sampleCells / Math.max(1, seen.length))));
  const step = Math.ceil(count / most);
  const sample = new Map(seen.map((column) => [column.name, sampled(column, step)]));
  const repeats = repeatsIn(sample);
  return columns.map((held) => {
    const { cells: _, ...column } = held;
    const facts = factsOf(held, count, step);
    const same = repeats.get(column.name);
    const unique = facts.missing === 0 && facts.distinct >= facts.rows;
    return { ...column, facts, unique, ...(same && { repeats: same }) };
  });
}

/** Every so many rows: numbers as they are, of anything else a mark that is the same for the same value only. */
function sampled({ kind, cells }: HeldColumn, step: number): Cell[] {
  const some = cells.filter((_, i) => i % step === 0);
  if (kind === "number") return some as (number | null)[];
  const marks = new Map<HeldCell, bigint>();
  return some.map((cell) => {
    if (cell === null) return null;
    if (!marks.has(cell)) marks.set(cell, BigInt(marks.size));
    return marks.get(cell)!;
  });
}

function factsOf({ kind, cells }: HeldColumn, rows: number, step: number): ColumnFacts {
  const present = cells.filter((cell) => cell !== null);
  const missing = rows - present.length;
  if (kind === "vector" || kind === "other" || kind === "empty" || present.length === 0) {
    return { rows, missing, distinct: 0 };
  }
  const counts = new Map<string, number>();
  for (const cell of present) counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1);
  const bare: ColumnFacts = {
    rows,
    missing,
    distinct: counts.size,
    ...(counts.size <= mostListed && { values: listed(counts) }),
  };
  if (kind === "text") return { ...bare, ...lettersOf(present as string[]) };
  if (kind === "boolean") return bare;
  const numbers = Float64Array.from(present as number[]);
  const [least, most] = numbers.reduce(
    ([low, high], each) => [Math.min(low, each), Math.max(high, each)],
    [Infinity, -Infinity],
  ) as [number, number];
  if (kind === "date") return { ...bare, least, most };
  const some = numbers.filter((_, i) => i % step === 0);
  const isRising = some.every((each, i) => i === 0 || each >= some[i - 1]!);
  const order = some.slice().sort();
  return {
    ...{ ...bare, least, most, whole: numbers.every(Number.isInteger) },
    quantiles: [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => quantileOf(order, share)),
    ...(isRising && some.length > 1 && { rising: true }),
  };
}

/** The most frequent first. */
function listed(counts: ReadonlyMap<string, number>): ColumnValue[] {
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, mostValues);
}

function lettersOf(texts: readonly string[]): Pick<ColumnFacts, "letters" | "words" | "longest"> {
  let [letters, longest, blanks] = [0, 0, 0];
  for (const text of texts) {
    const length = [...text].length;
    letters += length;
    longest = Math.max(longest, length);
    blanks += text.split(" ").length - 1;
  }
  return { letters: letters / texts.length, longest, words: 1 + blanks / texts.length };
}
