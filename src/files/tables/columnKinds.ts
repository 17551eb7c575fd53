/** What DuckDB says about the columns of a table: their kinds, and what has to be counted to know their roles. */

import type { Feature } from "../../data/feature.ts";
import { type Column, type ColumnKind, mayBeId, type RoleOptions } from "../../data/roles.ts";
import { type Database, quoteName, shortened } from "./database.ts";

/** More different texts than this are no categories. */
const mostCategories = 64;
/** Every number of a vector is a column of its own. */
const longestVector = 2 ** 18;
/** Up to here uniqueness is counted exactly; beyond, estimated to a few percent in constant memory. */
const exactRows = 2 ** 22;

export interface LookedFor extends RoleOptions {
  /** Whether all values were text and their types are guessed, as in CSV. */
  readonly guessedTypes: boolean;
  /** The features of other rows, to be found again. */
  readonly fitted?: readonly Feature[];
}

export async function columnsOf(
  where: string,
  database: Database,
  relation: string,
  options: LookedFor,
): Promise<{ columns: Column[]; count: number }> {
  const described = await database.rows(`describe select * from ${relation}`);
  const bare = described.map(([name, type]) => columnOf(String(name), String(type)));
  const count = Number((await database.rows(`select count(*) from ${relation}`))[0]![0]);
  if (count === 0) throw new RangeError(`${where}: has ${bare.length} columns and no rows`);
  const ignored = ({ name }: Column): boolean => options.ignore?.includes(name) ?? false;
  const guessed = described
    .filter(([, type]) => type === "JSON" || (type === "VARCHAR" && options.guessedTypes))
    .map(([name]) => String(name));
  const doubtful = bare.filter((column) => guessed.includes(column.name) && !ignored(column));
  const known = await secondGuess(where, database, relation, doubtful, options);
  const columns: Column[] = [];
  const guesses = bare.map((column) => known.get(column.name) ?? column);
  const candidates = guesses.filter((column) => options.id === undefined && !ignored(column) && mayBeId(column));
  const unrepeated = await unrepeatedAtFirst(database, relation, candidates);
  for (const column of guesses) {
    const looked = !ignored(column);
    if (looked && column.kind === "vector") {
      columns.push({ ...column, length: await lengthOf(where, database, relation, column.name) });
    } else if (looked && column.kind === "text" && options.encode?.includes(column.name)) {
      columns.push({ ...column, categories: await categoriesOf(where, database, relation, column.name) });
    } else if (unrepeated.has(column.name)) {
      columns.push({ ...column, unique: await isUnique(database, relation, column.name, count) });
    } else columns.push(column);
  }
  return { columns, count };
}

const integers = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;
const numbers = /^(FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$/;

function columnOf(name: string, type: string): Column {
  const inner = /^(.*)\[\d*\]$/s.exec(type)?.[1];
  if (inner !== undefined) return { name, kind: integers.test(inner) || numbers.test(inner) ? "vector" : "other" };
  if (integers.test(type)) return { name, kind: "number", integer: true };
  if (numbers.test(type)) return { name, kind: "number" };
  const kinds: [RegExp, ColumnKind][] = [
    [/^(VARCHAR|JSON|UUID|ENUM\(.*\))$/s, "text"],
    [/^BOOLEAN$/, "boolean"],
    [/^(DATE|TIMESTAMP.*)$/, "date"],
  ];
  return { name, kind: kinds.find(([pattern]) => pattern.test(type))?.[1] ?? "other" };
}

/**
 * Text whose type was guessed from its values may have none, or numbers that DuckDB did not take for any (inf). One
 * word among numbers makes text of them all: more likely a mistake than a column to leave out.
 */
async function secondGuess(
  where: string,
  database: Database,
  relation: string,
  texts: readonly Column[],
  { id, label, encode, columns, fitted }: LookedFor,
): Promise<Map<string, Column>> {
  if (texts.length === 0) return new Map();
  const counts = texts.map(({ name }) => `count(${quoteName(name)}), count(${asNumber(name)})`);
  const [row] = await database.rows(`select ${counts.join(", ")} from ${relation}`);
  // A text that was encoded is compared as it is written: it may well be a number.
  const wanted = columns ?? fitted?.flatMap(({ kind, column }) => (kind === "category" ? [] : [column]));
  const meant = new Set([...[id ?? []].flat(), ...(encode ?? []), label]);
  const changes = new Map<string, Column>();
  for (const [i, { name }] of texts.entries()) {
    const [all, numeric] = row!.slice(2 * i, 2 * i + 2).map(Number) as [number, number];
    if (all === 0) changes.set(name, { name, kind: "empty" });
    else if (numeric === all && !meant.has(name)) changes.set(name, { name, kind: "number" });
    else if (numeric >= 0.5 * all && !meant.has(name) && (wanted?.includes(name) ?? true)) {
      const [first] = await database.rows(
        `select n, v from (select row_number() over () - 1 as n, ${quoteName(name)}::varchar as v, ${asNumber(name)} as x from ${relation}) where v is not null and x is null limit 1`,
      );
      throw new RangeError(
        `${where}: column ${name} must be numbers, ${all - numeric} of ${all} values are not, the first in row ${first![0]}: ${shortened(String(first![1]), 40)}; correct it, or ignore the column`,
      );
    }
  }
  return changes;
}

function asNumber(name: string): string {
  return `try_cast(${quoteName(name)}::varchar as double)`;
}

async function lengthOf(where: string, database: Database, relation: string, name: string): Promise<number> {
  const column = quoteName(name);
  const [row] = await database.rows(`select min(len(${column})), max(len(${column})) from ${relation}`);
  const [shortest, longest] = row!.map(Number) as [number, number];
  if (longest > longestVector) {
    throw new RangeError(
      `${where}: a vector can have up to ${longestVector} numbers, column ${name} has ${longest}; ignore the column`,
    );
  }
  if (row![0] !== null && shortest === longest && longest > 0) return longest;
  if (!longest) throw new RangeError(`${where}: column ${name} must have vectors of at least one number, it has none`);
  const [first] = await database.rows(
    `select n, l from (select row_number() over () - 1 as n, len(${column}) as l from ${relation}) where l <> ${longest} limit 1`,
  );
  throw new RangeError(
    `${where}: the vectors of column ${name} must have one length, got up to ${longest} numbers, and ${first![1]} in row ${first![0]}; ignore the column or make them equal`,
  );
}

async function categoriesOf(where: string, database: Database, relation: string, name: string): Promise<string[]> {
  const column = quoteName(name);
  const found = await database.rows(
    `select distinct ${column}::varchar as v from ${relation} where v is not null order by v limit ${mostCategories + 1}`,
  );
  if (found.length > mostCategories) {
    throw new RangeError(`${where}: a text column can be encoded up to ${mostCategories} values, ${name} has more`);
  }
  return found.map(([value]) => String(value));
}

/**
 * The columns in which the first rows are all different: in a wide table, counting the whole of each would take long.
 */
async function unrepeatedAtFirst(
  database: Database,
  relation: string,
  columns: readonly Column[],
): Promise<ReadonlySet<string>> {
  if (columns.length === 0) return new Set();
  // Hashes, since a text may be long; and compared here, since DuckDB sets up a table for each column that it counts.
  const hashes = columns.map(({ name }) => `hash(${quoteName(name)})`);
  const rows = await database.rows(`select ${hashes.join(", ")} from ${relation} limit 256`);
  const isUnrepeated = (_: Column, i: number): boolean => new Set(rows.map((row) => row[i])).size === rows.length;
  return new Set(columns.filter(isUnrepeated).map(({ name }) => name));
}

async function isUnique(database: Database, relation: string, name: string, count: number): Promise<boolean> {
  const column = quoteName(name);
  const exact = count <= exactRows;
  const distinct = exact ? `count(distinct ${column})` : `approx_count_distinct(${column})`;
  const [row] = await database.rows(`select count(${column}), ${distinct} from ${relation}`);
  const [present, different] = row!.map(Number) as [number, number];
  return present === count && different >= (exact ? count : 0.9 * count);
}
