/** A column of a table, and what is known of it. */

export type ColumnKind = "number" | "vector" | "text" | "boolean" | "date" | "empty" | "other";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whole numbers, which may be an id. */
  readonly integer?: boolean;
  /** No value twice and none missing; looked at for columns that could be an id. */
  readonly unique?: boolean;
  /** How many numbers each vector of it has. */
  readonly length?: number;
  /** What its values are like, where someone has looked. */
  readonly facts?: ColumnFacts;
  /** Why it cannot be read as it is, where it was only looked at. */
  readonly trouble?: string;
  /** Columns that say the same: up to scale, or value by value. */
  readonly repeats?: readonly string[];
}

/** A value as text, and how many rows have it. */
export type ColumnValue = readonly [value: string, rows: number];

/** What the values of a column are like. */
export interface ColumnFacts {
  /** How many rows were looked at: all of them, but for the later numbers of a wide table. */
  readonly rows: number;
  /** How many of them have no value. */
  readonly missing: number;
  /** How many values are different: exact where they are few or where each row may have its own, else an estimate. */
  readonly distinct: number;
  /** Of numbers; of dates, in days since 1970. */
  readonly least?: number;
  readonly most?: number;
  /** Of numbers: whether all are whole. */
  readonly whole?: boolean;
  /** Of numbers: below which 5, 25, 50, 75 and 95 % of a sample of them are. */
  readonly quantiles?: readonly number[];
  /** Of numbers: none is smaller than the one before it in the file, as a sample says. */
  readonly rising?: boolean;
  /** The most frequent values first, up to 64 of them, where there are not more than a thousand in all. */
  readonly values?: readonly ColumnValue[];
  /** Of texts: their letters and words on average, and the letters of the longest. */
  readonly letters?: number;
  readonly words?: number;
  readonly longest?: number;
}
