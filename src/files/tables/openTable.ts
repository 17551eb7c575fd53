/** A table that DuckDB reads: CSV, Parquet, JSON lines, or the result of a query. */

import { featureNames } from "../../data/feature.ts";
import { rolesOf } from "../../data/roles.ts";
import { keepRows, missingWords } from "../kept/keepRows.ts";
import type { Piece, ShuffleLimits } from "../kept/shuffle.ts";
import {
  type Ids,
  idsInMemory,
  type Labels,
  labelsOf,
  missingIn,
  type OpenedRows,
  type OpenOptions,
} from "../openedRows.ts";
import { columnsOf } from "./columnKinds.ts";
import { type Database, quoteName } from "./database.ts";
import { type FeatureQuery, featureQuery } from "./featureQuery.ts";

export interface TableSource {
  /** What people call it. */
  readonly where: string;
  /** What stands after `from` in a query. */
  readonly relation: string;
  /** Whether all values were text and their types are guessed, as in CSV. */
  readonly guessedTypes: boolean;
}

/** An id is a text, which takes about as much memory as this many numbers. */
const numbersPerId = 8;

export async function openTable(
  database: Database,
  { where, relation, guessedTypes }: TableSource,
  { like, ...given }: OpenOptions,
  limits: ShuffleLimits = {},
): Promise<OpenedRows> {
  const fitted = given.columns ? undefined : like?.features;
  const options = { ...(like?.id !== undefined && { id: like.id }), ...given };
  const { columns, count: all } = await columnsOf(where, database, relation, {
    ...options,
    guessedTypes,
    ...(fitted && { fitted }),
  });
  const roles = rolesOf(where, columns, options, fitted);
  const missing = missingIn({ ...given, ...(like && { like }) }, roles.features);
  const query = featureQuery(roles.features);
  const from = missing === "drop" ? `${relation} where ${query.isComplete}` : relation;
  const count = missing === "drop" ? Number((await database.rows(`select count(*) from ${from}`))[0]![0]) : all;
  if (count === 0)
    throw new RangeError(`${where}: every one of its ${all} rows has a missing value; leave columns out with ignore`);
  const rows = await keepRows(
    {
      where,
      names: featureNames(roles.features),
      count,
      row: [query.width],
      pieces: () => piecesOf(database, query, from),
    },
    { ...options, missing, beside: numbersPerId * roles.ids.length, limits },
  );
  const labels = roles.label === undefined ? undefined : await readLabels(database, from, roles.label, count);
  const lazyIds = roles.ids.length === 0 ? undefined : idsOf(database, from, roles.ids);
  const fits = rows.data.tensor !== undefined;
  const ids = fits && lazyIds ? idsInMemory(lazyIds.names, await everything(lazyIds)) : lazyIds;
  if (fits) database.close();
  return {
    data: rows.data,
    features: roles.features,
    description: `${roles.description}${missingWords(count, all, rows.missing)}${count < all && !ids ? " (rows are numbered without them)" : ""}`,
    ...(ids && { ids }),
    ...(labels && { labels }),
    ...(rows.filled && { filled: rows.filled }),
    async close() {
      await rows.close();
      if (!fits) database.close();
    },
  };
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

/** Four bytes a row, also where the rows are streamed: scores want all of them. */
export async function readLabels(database: Database, from: string, column: string, count: number): Promise<Labels> {
  const classes = new Int32Array(count);
  const seen = new Map<string | null, number>();
  let at = 0;
  for await (const chunk of database.stream(`select ${quoteName(column)}::varchar from ${from}`)) {
    for (const value of chunk.getColumnValues(0) as (string | null)[]) {
      if (!seen.has(value)) seen.set(value, seen.size);
      classes[at++] = seen.get(value)!;
    }
  }
  // The order in which they appear becomes the order of their names.
  const { classes: sorted, names } = labelsOf([...seen.keys()]);
  return { classes: classes.map((first) => sorted[first]!), names };
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

async function everything(ids: Ids): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const batch of ids.inOrder(4096)) for (const row of batch) rows.push(row);
  return rows;
}
