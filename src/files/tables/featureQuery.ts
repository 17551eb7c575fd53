/** Features as a query: some columns of numbers out of DuckDB, rows of float32 in. */

import type { DuckDBDataChunk, DuckDBVector } from "@duckdb/node-api";
import type { Feature } from "../../data/feature.ts";
import { quoteName, quoteText } from "./database.ts";

/** One column of the query: a number, or several neighbouring numbers of a vector. */
interface QueryColumn {
  readonly sql: string;
  readonly width: number;
}

export interface FeatureQuery {
  readonly width: number;
  readonly select: string;
  /** That nothing in the row is missing. */
  readonly isComplete: string;
  /** The rows of a chunk, one after the other; NaN where a value is missing. */
  read(chunk: DuckDBDataChunk): Float32Array;
}

export function featureQuery(features: readonly Feature[]): FeatureQuery {
  const columns = queryColumns(features);
  const width = features.length;
  return {
    width,
    select: columns.map(({ sql }) => sql).join(", "),
    isComplete: columns
      .map(({ sql, width }) =>
        width === 1 ? `not isnan(${sql})` : `len(list_filter(${sql}, lambda x: x is null or isnan(x))) = 0`,
      )
      .join(" and "),
    read(chunk) {
      // Asked for once: every look at it goes through to native code.
      const { rowCount } = chunk;
      const rows = new Float32Array(rowCount * width);
      let at = 0;
      columns.forEach((column, i) => {
        const numbers = numbersOf(chunk.getColumnVector(i), column.width);
        for (let r = 0; r < rowCount; r++) {
          for (let c = 0; c < column.width; c++) {
            rows[r * width + at + c] = numbers.getItem(r * column.width + c) ?? Number.NaN;
          }
        }
        at += column.width;
      });
      return rows;
    },
  };
}

/**
 * The numbers of fixed-size arrays lie one after the other inside their vector, which keeps them to itself and copies
 * each array for whoever asks.
 */
function numbersOf(vector: DuckDBVector, width: number): DuckDBVector<number> {
  return (width === 1 ? vector : (vector as unknown as { childData: DuckDBVector }).childData) as DuckDBVector<number>;
}

/** Neighbours in a vector are read together: a thousand columns would be slow. */
function queryColumns(features: readonly Feature[]): QueryColumn[] {
  const columns: QueryColumn[] = [];
  for (let i = 0; i < features.length; ) {
    const feature = features[i]!;
    let width = 1;
    if (feature.kind === "element") {
      for (; ; width++) {
        const next = features[i + width];
        if (next?.kind !== "element" || next.column !== feature.column || next.index !== feature.index + width) break;
      }
    }
    columns.push({ sql: sqlOf(feature, width), width });
    i += width;
  }
  return columns;
}

function sqlOf(feature: Feature, width: number): string {
  const column = quoteName(feature.column);
  const number = (sql: string): string => `coalesce(${sql}, 'nan'::double)`;
  switch (feature.kind) {
    case "number":
      return number(`${column}::double`);
    case "boolean":
      return number(`${column}::int::double`);
    case "date":
      return number(`epoch(${column}::timestamp) / 86400`);
    case "category":
      return number(`(${column}::varchar = ${quoteText(feature.value)})::int::double`);
    case "element":
      if (width === 1) return number(`(${column}::double[])[${feature.index + 1}]`);
      return `coalesce((${column}::double[])[${feature.index + 1}:${feature.index + width}], list_resize([]::double[], ${width}, 'nan'::double))::double[${width}]`;
  }
}
