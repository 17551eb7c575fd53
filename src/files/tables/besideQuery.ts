/** Columns that are not learned from, as a query: texts, numbers and dates for whoever describes clusters. */

import type { DuckDBDataChunk } from "@duckdb/node-api";
import { type ColumnBeside, longestText, mostBeside, type RowsBeside, type ValueBeside } from "../../data/beside.ts";
import type { Role } from "../../data/columnGuess.ts";
import type { Column, Roles } from "../../data/roles.ts";
import { type Database, quoteName } from "./database.ts";

const kinds: Partial<Record<Column["kind"], ColumnBeside["kind"]>> = {
  text: "text",
  boolean: "text",
  number: "number",
  date: "date",
};

/** The guesses of which columns are told. */
const told: ReadonlySet<Role> = new Set(["feature", "text", "time"]);

/**
 * What is neither a feature nor an id nor the label, and tells something: not a counter, a key, a constant or what says
 * the same as another. Of many columns the first, and what was said to be text.
 */
export function columnsBeside({ columns, ids, label, teacher, text }: Roles, ignore: readonly string[] = []) {
  const taken = new Set([...ids, label, teacher]);
  const free = columns.flatMap(({ column: { name, kind }, isUsed, guess }): ColumnBeside[] => {
    const beside = kinds[kind];
    // Texts that could name rows, and do not, may have words in common.
    const isTold = name === text || told.has(guess) || (guess === "id" && kind === "text");
    if (beside === undefined || isUsed || taken.has(name) || !isTold) return [];
    const said = { ...(name === text && { isText: true }), ...(ignore.includes(name) && { isLeftOut: true }) };
    return [{ name, kind: beside, ...said }];
  });
  const said = free.filter(({ isText }) => isText);
  return [...said, ...free.filter(({ isText }) => !isText)].slice(0, mostBeside);
}

export function besideOf(database: Database, from: string, columns: readonly ColumnBeside[]): RowsBeside {
  return {
    columns,
    async *inOrder(size) {
      let batch: ValueBeside[][] = [];
      for await (const chunk of database.stream(`select ${columns.map(sqlOf).join(", ")} from ${from}`)) {
        for (const row of rowsOf(chunk, columns.length)) {
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

function* rowsOf(chunk: DuckDBDataChunk, width: number): Generator<ValueBeside[]> {
  const columns = Array.from({ length: width }, (_, i) => chunk.getColumnValues(i) as ValueBeside[]);
  for (let row = 0; row < chunk.rowCount; row++) yield columns.map((values) => values[row]!);
}

function sqlOf({ name, kind }: ColumnBeside): string {
  const column = quoteName(name);
  switch (kind) {
    case "text":
      return `left(${column}::varchar, ${longestText})`;
    case "number":
      return `${column}::double`;
    case "date":
      return `case when isfinite(${column}) then epoch(${column}::timestamp) / 86400 end`;
  }
}
