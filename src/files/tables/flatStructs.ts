/** Columns of objects, taken apart: address with city and zip becomes address.city and address.zip. */

import type { DuckDBType } from "@duckdb/node-api";
import { oneLine } from "../../text/oneLine.ts";
import { distinctNames } from "./columnNames.ts";
import { type Database, quoteName, quoteText } from "./database.ts";
import { listed } from "./writtenNumbers.ts";

/** More columns than this are no table. */
const mostColumns = 2 ** 16;

interface Leaf {
  readonly name: string;
  readonly sql: string;
}

export async function withFlatStructs(
  where: string,
  database: Database,
  relation: string,
): Promise<{ relation: string; said: string[] }> {
  const columns = await database.columns(`select * from ${relation}`);
  const nested = columns.filter(({ type }) => entriesOf(type) !== undefined);
  if (nested.length === 0) return { relation, said: [] };
  const leaves: Leaf[] = [];
  for (const { name, type } of columns) {
    for (const leaf of leavesOf({ name, sql: quoteName(name) }, type)) {
      leaves.push(leaf);
      if (leaves.length > mostColumns) {
        throw new RangeError(
          `${where}: can have up to ${mostColumns} columns, and has more inside its objects; leave some out with --sql`,
        );
      }
    }
  }
  const { names } = distinctNames(leaves.map(({ name }) => name));
  const selected = leaves.map(({ sql }, i) => `${sql} as ${quoteName(names[i]!)}`);
  return {
    relation: `(select ${selected.join(", ")} from ${relation})`,
    said: [`taking apart ${listed(nested.map(({ name }) => oneLine(name, 40)))}`],
  };
}

function* leavesOf({ name, sql }: Leaf, type: DuckDBType): Generator<Leaf> {
  const entries = entriesOf(type);
  if (!entries) {
    yield { name, sql };
    return;
  }
  for (const [entry, inner] of entries) {
    yield* leavesOf({ name: `${name}.${entry}`, sql: `struct_extract(${sql}, ${quoteText(entry)})` }, inner);
  }
}

/** An object without names is a tuple, and stays one. */
function entriesOf(type: DuckDBType): readonly (readonly [string, DuckDBType])[] | undefined {
  const { entryNames, entryTypes } = type as { entryNames?: readonly string[]; entryTypes?: readonly DuckDBType[] };
  if (!entryNames || !entryTypes || entryNames.length === 0 || entryNames.includes("")) return undefined;
  return entryNames.map((name, i) => [name, entryTypes[i]!] as const);
}
