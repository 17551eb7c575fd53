/**
 * What the values of columns are like, as DuckDB counts them: once over the table, once more for columns of few values,
 * and a sample of whole rows. Nothing here depends on the order of rows, but what is said about it.
 */

import type { Cell } from "../../data/repeats.ts";
import type { Column, ColumnFacts, ColumnValue } from "../../data/roles.ts";
import { quantileOf } from "../../numerics/quantiles.ts";
import { type Database, quoteName } from "./database.ts";

/** Up to here it is counted whether each row has a value of its own; beyond, estimated in constant memory. */
export const exactKeys = 2 ** 22;
/** DuckDB sets up a table for each column whose values it counts: a few at a time. */
const keysAtOnce = 4;
/** A list of values takes megabytes before it has any. */
const listsAtOnce = 32;
/** Columns of more values than this are not listed value by value. */
const mostListed = 1024;
/** So many values of a column are kept, the most frequent ones. */
export const mostValues = 64;
/** Of more columns, DuckDB is slow to count so much of each: the rest of them are known by the sample. */
const mostCounted = 512;
/** Rows of the sample, and cells of it. */
const sampleRows = 4096;
const sampleCells = 2 ** 21;

/** Some rows, column by column. */
export type Sample = ReadonlyMap<string, readonly Cell[]>;

export interface Looked {
  readonly facts: ReadonlyMap<string, ColumnFacts>;
  readonly sample: Sample;
}

/** `columns`, with the kinds that are known by now; `rows`: how many there are. */
export async function lookAt(
  database: Database,
  relation: string,
  columns: readonly Column[],
  rows: number,
): Promise<Looked> {
  if (columns.length === 0) return { facts: new Map(), sample: new Map() };
  const sample = await sampleOf(database, relation, columns, rows);
  const sampled = new Map(columns.map((column) => [column.name, factsOfSample(column, sample)]));
  const counted = countedOf(columns, sampled);
  const facts = await countsOf(database, relation, counted, rows);
  if (isWhole(sample, rows)) {
    for (const { name } of counted) facts.set(name, { ...facts.get(name)!, distinct: sampled.get(name)!.distinct });
  } else await countKeys(database, relation, counted, { sampled, facts, rows });
  await listValues(database, relation, counted, facts);
  return {
    facts: new Map(columns.map(({ name }) => [name, { ...sampled.get(name)!, ...facts.get(name) }])),
    sample,
  };
}

/** Of a wide table: what is no number, and numbers that could be a key; then the first of the others. */
function countedOf(columns: readonly Column[], sampled: ReadonlyMap<string, ColumnFacts>): Column[] {
  if (columns.length <= mostCounted) return [...columns];
  const isDoubtful = ({ name, kind }: Column): boolean => {
    const { distinct, rows, missing, whole } = sampled.get(name)!;
    return kind !== "number" || (whole === true && distinct === rows - missing);
  };
  const order = [...columns.filter(isDoubtful), ...columns.filter((column) => !isDoubtful(column))];
  return order.slice(0, mostCounted);
}

/** The numbers of a column; a text of which the values are numbers has them too, and NaN is no number. */
function numbersIn({ name }: Column): string {
  const column = quoteName(name);
  return `(case when isnan(${column}::double) then null else ${column}::double end)`;
}

function valuesIn(column: Column): string {
  return column.kind === "number" ? numbersIn(column) : quoteName(column.name);
}

async function countsOf(
  database: Database,
  relation: string,
  columns: readonly Column[],
  rows: number,
): Promise<Map<string, ColumnFacts>> {
  const parts = columns.map((column) => {
    const value = valuesIn(column);
    const days = (sql: string): string => `epoch((${sql} filter (where isfinite(${value})))::timestamp) / 86400`;
    const distinct = `approx_count_distinct(${value})`;
    switch (column.kind) {
      case "number":
        return [`count(${value})`, distinct, `min(${value})`, `max(${value})`, `bool_and(${value} = trunc(${value}))`];
      case "date":
        return [`count(${value})`, distinct, days(`min(${value})`), days(`max(${value})`)];
      case "text":
        return [`count(${value})`, distinct, ...lettersOf(value)];
      case "boolean":
        return [`count(${value})`, distinct];
      default:
        return [`count(${value})`];
    }
  });
  const [row] = await database.rows(`select ${parts.flat().join(", ")} from ${relation}`);
  const facts = new Map<string, ColumnFacts>();
  let at = 0;
  for (const [i, column] of columns.entries()) {
    const cells = row!.slice(at, at + parts[i]!.length);
    at += cells.length;
    facts.set(column.name, factsOfCounts(column, cells, rows));
  }
  return facts;
}

/** Letters of all texts, of the longest, and blanks between words. */
function lettersOf(text: string): string[] {
  const letters = `length(${text}::varchar)`;
  return [`sum(${letters})`, `max(${letters})`, `sum(${letters} - length(replace(${text}::varchar, ' ', '')))`];
}

function factsOfCounts({ kind }: Column, cells: readonly unknown[], rows: number): ColumnFacts {
  const [present, distinct = 0, ...rest] = cells.map((cell) => (cell === null ? undefined : Number(cell)));
  const bare = { rows, missing: rows - present!, distinct: Math.min(distinct, present!) };
  if (present === 0) return bare;
  if (kind === "number") return { ...bare, ...rangeOf(rest), whole: cells[4] === true };
  if (kind === "date") return { ...bare, ...rangeOf(rest) };
  if (kind !== "text") return bare;
  const [letters, longest, blanks] = rest as [number, number, number];
  return { ...bare, letters: letters / present!, longest, words: 1 + blanks / present! };
}

function rangeOf([least, most]: readonly (number | undefined)[]): Pick<ColumnFacts, "least" | "most"> {
  return least === undefined || most === undefined ? {} : { least, most };
}

/** Estimates may be a third off: texts, and columns in which the sample has no value twice, are counted. */
async function countKeys(
  database: Database,
  relation: string,
  columns: readonly Column[],
  known: {
    readonly sampled: ReadonlyMap<string, ColumnFacts>;
    readonly facts: Map<string, ColumnFacts>;
    readonly rows: number;
  },
): Promise<void> {
  if (known.rows > exactKeys) return;
  const likely = columns.filter(({ name, kind }) => {
    const { distinct, rows, missing, whole } = known.sampled.get(name)!;
    const isKey = (kind === "date" || whole === true) && distinct > 0 && distinct === rows - missing;
    return isKey || (kind === "text" && known.facts.get(name)!.distinct > mostListed / 2);
  });
  for (let at = 0; at < likely.length; at += keysAtOnce) {
    const some = likely.slice(at, at + keysAtOnce);
    const counts = some.map((column) => `count(distinct ${valuesIn(column)})`);
    const [row] = await database.rows(`select ${counts.join(", ")} from ${relation}`);
    for (const [i, { name }] of some.entries()) {
      known.facts.set(name, { ...known.facts.get(name)!, distinct: Number(row![i]) });
    }
  }
}

/** The values of columns that have few, each with its number of rows. */
async function listValues(
  database: Database,
  relation: string,
  columns: readonly Column[],
  facts: Map<string, ColumnFacts>,
): Promise<void> {
  const listed = columns.filter(({ name, kind }) => {
    const { distinct } = facts.get(name)!;
    return distinct > 0 && distinct <= mostListed && ["number", "text", "boolean", "date"].includes(kind);
  });
  for (let at = 0; at < listed.length; at += listsAtOnce) {
    const some = listed.slice(at, at + listsAtOnce);
    const lists = some.map((column) => `histogram(${valuesIn(column)}::varchar)`);
    const [row] = await database.rows(`select ${lists.join(", ")} from ${relation}`);
    for (const [i, { name, kind }] of some.entries()) {
      const counts = row![i] as readonly { readonly key: string; readonly value: bigint }[];
      const values = counts.map(({ key, value }): ColumnValue => [kind === "number" ? plain(key) : key, Number(value)]);
      values.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
      facts.set(name, { ...facts.get(name)!, distinct: counts.length, values: values.slice(0, mostValues) });
    }
  }
}

/** 3.0, as DuckDB writes a double, is 3. */
function plain(number: string): string {
  return String(Number(number));
}

/**
 * Rows that are chosen by a hash of what they say: the same ones whatever the order of rows, and however many threads
 * read them.
 */
async function sampleOf(
  database: Database,
  relation: string,
  columns: readonly Column[],
  rows: number,
): Promise<Sample> {
  const seen = columns.filter(({ kind }) => kind !== "vector" && kind !== "other" && kind !== "empty");
  if (seen.length === 0) return new Map();
  const most = Math.max(256, Math.min(sampleRows, Math.floor(sampleCells / seen.length)));
  const one = Math.ceil(rows / most);
  const marks = seen.slice(0, 16).map(({ name }) => quoteName(name));
  const chosen = one === 1 ? "" : ` where hash(${marks.join(", ")}) % ${one} = 0`;
  const cells = seen.map((column) => {
    const value = valuesIn(column);
    return column.kind === "number" ? value : `case when ${value} is null then null else hash(${value}) end`;
  });
  const found = await database.rows(`select ${cells.join(", ")} from ${relation}${chosen} limit ${2 * most}`);
  return new Map(seen.map(({ name }, i) => [name, found.map((row) => row[i] as Cell)]));
}

function isWhole(sample: Sample, rows: number): boolean {
  return [...sample.values()].every((cells) => cells.length === rows);
}

/** What a sample says; its quantiles and its order are all that is known of these. */
function factsOfSample({ name, kind }: Column, sample: Sample): ColumnFacts {
  const cells = sample.get(name) ?? [];
  const present = cells.filter((cell) => cell !== null);
  const bare = { rows: cells.length, missing: cells.length - present.length, distinct: new Set(present).size };
  if (kind !== "number" || present.length === 0) return bare;
  const numbers = Float64Array.from(present as number[]);
  const isRising = numbers.every((each, i) => i === 0 || each >= numbers[i - 1]!);
  const order = numbers.slice().sort();
  return {
    ...bare,
    least: order[0]!,
    most: order.at(-1)!,
    whole: numbers.every(Number.isInteger),
    quantiles: [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => quantileOf(order, share)),
    ...(isRising && numbers.length > 1 && { rising: true }),
  };
}
