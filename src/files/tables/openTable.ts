/** A table that DuckDB reads: CSV, Parquet, JSON lines, or the result of a query. */

import type { Column } from "../../data/column.ts";
import { columnsBeside } from "../../data/columnsBeside.ts";
import type { Data } from "../../data/data.ts";
import { featureNames } from "../../data/feature.ts";
import { checkFeatures, type Roles, rolesOf } from "../../data/roles.ts";
import { checkMemory, memoryLimit } from "../../tensor/budget.ts";
import { leftOut } from "../kept/dropIncomplete.ts";
import { keepRows, missingWords } from "../kept/keepRows.ts";
import type { Piece, ShuffleLimits } from "../kept/shuffle.ts";
import { LabelList, type LabelOptions } from "../labelList.ts";
import {
  type Ids,
  idsInMemory,
  type Labels,
  type Like,
  missingIn,
  type OpenedRows,
  type OpenOptions,
} from "../openedRows.ts";
import { besideOf } from "./besideQuery.ts";
import { columnsOf } from "./columnKinds.ts";
import { type Database, quoteName } from "./database.ts";
import { type FeatureQuery, featureQuery } from "./featureQuery.ts";
import { keptColumns } from "./keptColumns.ts";
import { unseenWords } from "./unseenTexts.ts";
import { withWrittenDates } from "./writtenDates.ts";

export interface TableSource {
  /** What people call it. */
  readonly where: string;
  /** What stands after `from` in a query. */
  readonly relation: string;
  /** Whether all values were text and their types are guessed, as in CSV. */
  readonly guessedTypes: boolean;
  /** Whether it is a query, which may give other rows each time it is asked. */
  readonly isQuery?: boolean;
}

/** DuckDB hands out so many rows at once. */
const rowsInChunk = 2048;

/** An id is a text, which takes about as much memory as this many numbers. */
const numbersPerId = 8;

export async function openTable(
  database: Database,
  { where, relation: written, guessedTypes, isQuery = false }: TableSource,
  { like, ...given }: OpenOptions,
  limits: ShuffleLimits = {},
): Promise<OpenedRows> {
  const fitted = given.columns ? undefined : like?.features;
  const said = { ...(like?.id !== undefined && { id: like.id }), ...given };
  const relation = await withWrittenDates(database, written);
  const before = isQuery ? await rowsInOrder(database, relation) : undefined;
  const { columns, count: all } = await columnsOf(where, database, relation, {
    ...said,
    guessedTypes,
    ...(fitted && { fitted }),
  });
  const options = { ...idsAgain(columns, like), ...said };
  const roles = rolesOf(where, columns, options, { ...(fitted && { features: fitted }), seen: like?.seen ?? [] });
  if (given.isLook) return looked(database, roles, all);
  checkFeatures(where, roles);
  const missing = missingIn({ ...given, ...(like && { like }) }, roles.features);
  const query = featureQuery(roles.features, missing === undefined);
  const from = missing === "drop" ? `${relation} where ${query.isComplete}` : relation;
  const count = missing === "drop" ? Number((await database.rows(`select count(*) from ${from}`))[0]![0]) : all;
  if (count === 0)
    throw new RangeError(`${where}: every one of its ${all} rows has a missing value; leave columns out with --ignore`);
  // A chunk as DuckDB holds it, in doubles, and as it is taken over.
  const reading = Math.min(count, rowsInChunk) * query.width * 20;
  const rows = await keepRows(
    {
      where,
      names: featureNames(roles.features),
      count,
      row: [query.width],
      ...(isQuery && { whenChanged: whenOthers }),
      pieces: () => piecesOf(database, query, from),
    },
    { ...options, missing, beside: numbersPerId * roles.ids.length, reading, limits },
  );
  const read = async (column: string | undefined): Promise<Labels | undefined> =>
    column === undefined
      ? undefined
      : readLabels(database, { where, from, column }, { memory: given.memory, rows: count });
  const [labels, teacher] = [await read(roles.label), await read(roles.teacher)];
  const lazyIds = roles.ids.length === 0 ? undefined : idsOf(database, from, roles.ids);
  const fits = rows.data.tensor !== undefined;
  const held = fits && lazyIds ? await everything(where, lazyIds, given.memory) : undefined;
  const ids = lazyIds && held ? idsInMemory(lazyIds.names, held) : lazyIds;
  const numbers = count < all ? await numbersOf(database, relation, query.isComplete, count) : undefined;
  const incomplete = `${relation} where not (${query.isComplete})`;
  const left = numbers && lazyIds && (await everything(where, idsOf(database, incomplete, roles.ids), given.memory));
  const kept = await keptColumns(database, { where, from, ids: roles.ids }, given.keep);
  if (before !== undefined && (await rowsInOrder(database, relation)) !== before) {
    throw new RangeError(`${where}: ${whenOthers}`);
  }
  const unseen = fitted ? await unseenWords(database, relation, roles.features) : "";
  const others = given.withBeside ? columnsBeside(roles, given.ignore) : [];
  // What is passed on, or stands beside, is read as it is asked for.
  const isHeld = fits && others.length === 0 && !kept;
  if (isHeld) database.close();
  return {
    data: rows.data,
    features: roles.features,
    columns: roles.columns,
    description: `${roles.description}${missingWords(count, all, rows.missing)}${unseen}`,
    ...(ids && { ids }),
    ...(numbers && { numbers, dropped: { rows: leftOut(numbers, all), ...(left && { ids: left }) } }),
    ...(kept && { kept }),
    ...(rows.missingOf && { missingOf: rows.missingOf }),
    ...(others.length > 0 && { beside: besideOf(database, from, others) }),
    ...(labels && { labels }),
    ...(teacher && { teacher }),
    ...(rows.filled && { filled: rows.filled }),
    async close() {
      await rows.close();
      if (!isHeld) database.close();
    },
  };
}

/** What named the rows that these are like names these, as far as it is here. */
function idsAgain(columns: readonly Column[], like: Like | undefined): Pick<OpenOptions, "id"> {
  const ids = like?.namedBy?.filter((id) => columns.some(({ name }) => name === id)) ?? [];
  return ids.length > 0 ? { id: ids } : {};
}

/** What is known of a table before a row is read. */
function looked(database: Database, { features, columns, description }: Roles, count: number): OpenedRows {
  const none = (): never => {
    throw new RangeError("data: the rows were only looked at; open them to read them");
  };
  const data: Data = { count, row: [features.length], range: [0, 0], inOrder: none, shuffled: none };
  return { data, features, columns, description, close: async () => database.close() };
}

async function* piecesOf(database: Database, query: FeatureQuery, from: string): AsyncGenerator<Piece> {
  let first = 0;
  for await (const chunk of database.stream(`select ${query.select} from ${from}`)) {
    const rows = new Int32Array(chunk.rowCount);
    for (let i = 0; i < rows.length; i++) rows[i] = first + i;
    yield { rows, x: query.read(chunk) };
    first += rows.length;
  }
}

const whenOthers =
  "the query gives other rows each time it is asked, and rows are read more than once; order it by a column, take a sample that repeats (using sample 1000 rows (reservoir, 42)), or write it to a file first and read that";

/** A number that other rows, or the same in another order, would not have. */
async function rowsInOrder(database: Database, relation: string): Promise<string> {
  // The first and the last say in which order they come: a sum alone would let DuckDB leave the order out.
  const [row] = await database.rows(
    `select count(*), bit_xor(h), first(h), last(h) from (select hash(t) as h from ${relation} t)`,
  );
  return row!.join();
}

/** Of rows in which nothing is missing, the numbers in the file. */
async function numbersOf(database: Database, relation: string, isComplete: string, count: number): Promise<Int32Array> {
  const numbers = new Int32Array(count);
  const numbered = `select row_number() over () - 1 as n, ${isComplete} as c from ${relation}`;
  let at = 0;
  for await (const chunk of database.stream(`select n::integer from (${numbered}) where c`)) {
    for (const n of chunk.getColumnValues(0) as number[]) numbers[at++] = n;
  }
  return numbers;
}

/** A few bytes a row, also where the rows are streamed: scores want all of them. */
export async function readLabels(
  database: Database,
  { where, from, column }: { readonly where: string; readonly from: string; readonly column: string },
  options: LabelOptions,
): Promise<Labels> {
  const list = new LabelList(`${where}: column ${column}`, options);
  for await (const chunk of database.stream(`select ${quoteName(column)}::varchar from ${from}`)) {
    for (const value of chunk.getColumnValues(0) as (string | null)[]) list.add(value);
  }
  return list.labels();
}

function idsOf(database: Database, from: string, names: readonly string[]): Ids {
  const columns = names.map((name) => `coalesce(${quoteName(name)}::varchar, '')`).join(", ");
  return {
    names,
    async *inOrder(size) {
      let batch: string[][] = [];
      for await (const chunk of database.stream(`select ${columns} from ${from}`)) {
        for (const row of chunk.getRows() as string[][]) {
          batch.push(row);
          if (batch.length < size) continue;
          yield batch;
          batch = [];
        }
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/** Ids may be long texts: how long is known only once they come. */
async function everything(
  where: string,
  ids: Ids,
  memory: number | undefined,
): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  const limit = memoryLimit(memory);
  let letters = 0;
  for await (const batch of ids.inOrder(4096)) {
    for (const row of batch) {
      rows.push(row);
      for (const id of row) letters += id.length;
    }
    const what = `ids of ${letters} letters in ${rows.length} rows`;
    checkMemory({ where, what, bytes: 2 * letters, cure: "choose shorter ones with id" }, limit);
  }
  return rows;
}
