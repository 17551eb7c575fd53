/** Features as a query: some columns of numbers out of DuckDB, rows of float32 in. */

import type { DuckDBDataChunk, DuckDBVector } from "@duckdb/node-api";
import { type Feature, isOfCategory, periods } from "../../data/feature.ts";
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

/** With `isNone`, a row that has no value of a category has none of its values: 0 for each, and nothing is missing. */
export function featureQuery(features: readonly Feature[], isNone = false): FeatureQuery {
  const columns = queryColumns(features, isNone);
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
function queryColumns(features: readonly Feature[], isNone: boolean): QueryColumn[] {
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
    columns.push({ sql: sqlOf(feature, width, isNone && isOfCategory(feature) ? "0::double" : missing), width });
    i += width;
  }
  return columns;
}

const missing = "'nan'::double";

function sqlOf(feature: Feature, width: number, absent: string): string {
  const column = quoteName(feature.column);
  const number = (sql: string): string => `coalesce(${sql}, ${absent})`;
  // An infinite date is none.
  const days = `epoch(case when isfinite(${column}::timestamp) then ${column}::timestamp end) / 86400`;
  switch (feature.kind) {
    case "number":
    case "count":
      return number(`${column}::double`);
    case "boolean":
      return number(`${column}::int::double`);
    case "date":
      return number(days);
    case "cycle":
      return number(`${feature.part}(2 * pi() * ${days} / ${periods[feature.period]})`);
    case "category":
      return number(`(${column}::varchar = ${quoteText(feature.value)})::int::double`);
    case "other":
      return number(`(${column}::varchar not in (${feature.except.map(quoteText).join(", ")}))::int::double`);
    case "ordered":
      return number(`(list_position([${feature.values.map(quoteText).join(", ")}], ${column}::varchar) - 1)::double`);
    case "element":
      if (width === 1) return number(`(${column}::double[])[${feature.index + 1}]`);
      return `coalesce((${column}::double[])[${feature.index + 1}:${feature.index + width}], list_resize([]::double[], ${width}, 'nan'::double))::double[${width}]`;
  }
}
