/** Which rows are meant, and tables of them. */

import * as v from "valibot";
import { cell, count, few, list, number, perhaps, short, text } from "./values.ts";

/** Letters of a search, rows of a page, rows by number, letters of a mask: 2 million rows in base64. */
const most = { letters: 200, page: 500, rows: 100_000, mask: 350_000 };

/**
 * Rows that meet all that is said. Without anything said, all rows. `mask` has a bit for each row, the lowest first, as
 * base64: what the page has lassoed or computed itself.
 */
export const filter = v.object({
  /** Texts that contain it, whatever its case, in any column or in those that are named by their number. */
  text: perhaps(short(most.letters)),
  textIn: perhaps(few(count, 64)),
  clusters: perhaps(few(count, 4096)),
  /** Confidence below this. */
  below: perhaps(number),
  /** From and to are both in it; of dates, days since 1970. */
  ranges: perhaps(few(v.object({ column: count, from: number, to: number }), 32)),
  /** Values of a category; null is missing. */
  values: perhaps(few(v.object({ column: count, values: few(v.nullable(short(1000)), 256) }), 32)),
  rows: perhaps(few(count, most.rows)),
  mask: perhaps(v.pipe(short(most.mask), v.regex(/^[A-Za-z0-9+/]*={0,2}$/))),
});
export type Filter = v.InferOutput<typeof filter>;

/** What the placement of a row says, beside the columns of the file. */
const placed = ["row", "cluster", "confidence", "second", "margin", "distance", "outlier"] as const;

export const tableRequest = v.object({
  filter: perhaps(filter),
  /** By a column of the file by its number, or by what the placement says; "row" unless told. */
  sort: perhaps(v.object({ by: v.union([count, v.picklist(placed)]), descending: perhaps(v.boolean()) })),
  offset: perhaps(count),
  limit: perhaps(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most.page))),
});
export type TableRequest = v.InferOutput<typeof tableRequest>;

/** One page of a table. */
export const tablePage = v.object({
  /** How many rows the filter has. */
  total: count,
  offset: count,
  /** The columns of the file, in the order of the cells; texts are cut to 200 letters, the row itself has all. */
  columns: list(text),
  rows: list(
    v.object({
      row: count,
      number: count,
      cluster: count,
      confidence: number,
      second: count,
      margin: number,
      distance: number,
      outlier: number,
      cells: list(cell),
    }),
  ),
});
export type TablePage = v.InferOutput<typeof tablePage>;

/** A file of the rows that are meant, with their clusters and all their columns. */
export const selectionRequest = v.object({ filter: perhaps(filter), format: v.picklist(["csv", "parquet"]) });
export type SelectionRequest = v.InferOutput<typeof selectionRequest>;

/** The values that codes of a category stand for: code 0 is missing, code 1 the first, one more than all is "other". */
export const dictionary = v.object({ column: text, values: list(text), hasOther: v.boolean() });
export type Dictionary = v.InferOutput<typeof dictionary>;
