/** Columns beside the features: nothing learns from them, and yet they tell what clusters are. */

export interface ColumnBeside {
  readonly name: string;
  /** Texts may turn out to be categories: a few values that come again and again. */
  readonly kind: "text" | "number" | "date";
  /** Whether somebody said that it holds texts, whatever they look like. */
  readonly isText?: boolean;
  /** Whether somebody said to leave it out: it then names no cluster, and no row is shown with its text. */
  readonly isLeftOut?: boolean;
}

/** A text, a number, or a date as days since 1970 in universal time; null where it is missing. */
export type ValueBeside = string | number | null;

export interface RowsBeside {
  readonly columns: readonly ColumnBeside[];
  /** A value for each column of every row, in batches beside those of `data.inOrder(size)`. */
  inOrder(
    size: number,
  ): AsyncIterable<readonly (readonly ValueBeside[])[]> | Iterable<readonly (readonly ValueBeside[])[]>;
}

/** More columns than these are not looked at. */
export const mostBeside = 64;
/** Of a text, so many letters are looked at. */
export const longestText = 10_000;
