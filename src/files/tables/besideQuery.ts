/** Columns that are not learned from, as a query: texts, numbers and dates for whoever describes clusters. */

import type { DuckDBDataChunk } from "@duckdb/node-api";
import { type ColumnBeside, longestText, type RowsBeside, type ValueBeside } from "../../data/beside.ts";
import { type Database, quoteName } from "./database.ts";

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
