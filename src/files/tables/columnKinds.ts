/** What DuckDB says about the columns of a table: their kinds, and what has to be counted to know their roles. */

import { type Feature, isOfText } from "../../data/feature.ts";
import { repeatsIn } from "../../data/repeats.ts";
import { type Column, type ColumnFacts, type ColumnKind, mayBeId, type RoleOptions } from "../../data/roles.ts";
import { oneLine } from "../../text/oneLine.ts";
import { exactKeys, lookAt } from "./columnFacts.ts";
import { type Database, quoteName } from "./database.ts";

/** A column of so few values, with so many rows each, is a category even where most of them are numbers. */
const [fewValues, rowsOfValue] = [12, 5];
/** Every number of a vector is a column of its own. */
const longestVector = 2 ** 18;

export interface LookedFor extends RoleOptions {
  /** Whether all values were text and their types are guessed, as in CSV. */
  readonly guessedTypes: boolean;
  /** The features of other rows, to be found again. */
  readonly fitted?: readonly Feature[];
  /** Whether nothing is to be read: what is wrong with a column is then told, and no reason to stop. */
  readonly isLook?: boolean;
}

export async function columnsOf(
  where: string,
  database: Database,
  relation: string,
  options: LookedFor,
): Promise<{ columns: Column[]; count: number }> {
  const described = await database.described(relation);
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
  // A fitted model knows its columns: what is left to find out is which column names the rows.
  const isAsked = (column: Column): boolean =>
    !ignored(column) && (options.fitted === undefined || (options.id === undefined && mayBeId(column)));
  const { facts, sample } = await lookAt(database, relation, guesses.filter(isAsked), count);
  const repeats = options.fitted === undefined ? repeatsIn(sample) : new Map<string, string[]>();
  for (const column of guesses) {
    const known = facts.get(column.name);
    const same = repeats.get(column.name);
    const looked: Column = {
      ...column,
      ...(known && { facts: known, unique: isUnique(known) }),
      ...(same && { repeats: same }),
    };
    if (!ignored(column) && column.kind === "vector") {
      columns.push({ ...looked, length: await lengthOf(where, database, relation, column.name) });
    } else columns.push(looked);
  }
  return { columns, count };
}

const integers = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;
const numbers = /^(FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$/;

function columnOf(name: string, type: string): Column {
  const inner = /^(.*)\[\d*\]$/s.exec(type)?.[1];
  if (inner !== undefined && (integers.test(inner) || numbers.test(inner))) return { name, kind: "vector" };
  if (integers.test(type)) return { name, kind: "number", integer: true };
  if (numbers.test(type)) return { name, kind: "number" };
  const kinds: [RegExp, ColumnKind][] = [
    [/^(VARCHAR|JSON|UUID|ENUM\(.*\))$/s, "text"],
    [/^BOOLEAN$/, "boolean"],
    [/^(DATE|TIMESTAMP.*)$/, "date"],
  ];
  const kind = kinds.find(([pattern]) => pattern.test(type))?.[1];
  if (kind !== undefined) return { name, kind };
  return { name, kind: "other", trouble: `is of a type that is not read (${oneLine(type.toLowerCase(), 40)})` };
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
  { id, label, encode, columns, fitted, isLook }: LookedFor,
): Promise<Map<string, Column>> {
  if (texts.length === 0) return new Map();
  const counts = texts.map(({ name }) => `count(${quoteName(name)}), count(${asNumber(name)})`);
  const [row] = await database.rows(`select ${counts.join(", ")} from ${relation}`);
  // A text that was encoded is compared as it is written: it may well be a number.
  const wanted = columns ?? fitted?.filter((feature) => !isOfText(feature)).map(({ column }) => column);
  const meant = new Set([...[id ?? []].flat(), ...(encode ?? []), label]);
  const changes = new Map<string, Column>();
  for (const [i, { name }] of texts.entries()) {
    const [all, numeric] = row!.slice(2 * i, 2 * i + 2).map(Number) as [number, number];
    if (all === 0) changes.set(name, { name, kind: "empty" });
    else if (numeric === all && !meant.has(name)) changes.set(name, { name, kind: "number" });
    else if (numeric >= 0.5 * all && !meant.has(name) && (wanted?.includes(name) ?? true)) {
      if (!wanted && (await isFew(database, relation, name, all))) continue;
      const [first] = await database.rows(
        `select n, v from (select row_number() over () - 1 as n, ${quoteName(name)}::varchar as v, ${asNumber(name)} as x from ${relation}) where v is not null and x is null limit 1`,
      );
      const trouble = `${all - numeric} of ${all} values are not, the first in row ${first![0]}: ${oneLine(String(first![1]), 40)}`;
      if (isLook) changes.set(name, { name, kind: "text", trouble: `should be numbers, ${trouble}; a fit refuses it` });
      else
        throw new RangeError(
          `${where}: column ${name} must be numbers${fitted ? " as in the rows of the model" : ""}, ${trouble}; correct it${fitted ? "" : ", leave it out with --ignore, or name it in --encode as texts"}`,
        );
    }
  }
  return changes;
}

/** Whether a word among numbers is one of a few values that come again and again: 4, 6, 8 and rotary. */
async function isFew(database: Database, relation: string, name: string, present: number): Promise<boolean> {
  const [row] = await database.rows(`select count(distinct ${quoteName(name)}) from ${relation}`);
  const distinct = Number(row![0]);
  return distinct <= fewValues && present >= rowsOfValue * distinct;
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
      `${where}: a vector can have up to ${longestVector} numbers, column ${name} has ${longest}; leave it out with --ignore`,
    );
  }
  if (row![0] !== null && shortest === longest && longest > 0) return longest;
  if (!longest) throw new RangeError(`${where}: column ${name} must have vectors of at least one number, it has none`);
  const [first] = await database.rows(
    `select n, l from (select row_number() over () - 1 as n, len(${column}) as l from ${relation}) where l <> ${longest} limit 1`,
  );
  throw new RangeError(
    `${where}: the vectors of column ${name} must have one length, got up to ${longest} numbers, and ${first![1]} in row ${first![0]}; make them equal, or leave it out with --ignore`,
  );
}

/** No value twice and none missing; of very many rows, as far as an estimate can tell. */
function isUnique({ rows, missing, distinct }: ColumnFacts): boolean {
  return missing === 0 && distinct >= (rows <= exactKeys ? rows : 0.9 * rows);
}
