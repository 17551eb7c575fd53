/** Which rows of a run are meant, and the same as a condition of SQL. */

import { quoteText } from "../../files/tables/database.ts";

/** Rows that meet all that is said; without anything said, all of them. */
export interface RowFilter {
  /** Texts that contain it, whatever its case, in any column or in these, by their places in the table. */
  readonly text?: string;
  readonly textIn?: readonly number[];
  readonly clusters?: readonly number[];
  /** Confidence below this. */
  readonly below?: number;
  /** Both ends are in it; of dates, days since 1970. */
  readonly ranges?: readonly { readonly column: number; readonly from: number; readonly to: number }[];
  /** Values as texts; null is missing. */
  readonly values?: readonly { readonly column: number; readonly values: readonly (string | null)[] }[];
  /** Their places. */
  readonly rows?: readonly number[];
  /** A bit for each row, the lowest first. */
  readonly mask?: Uint8Array;
}

/** A column of the table: its name in SQL, and how its values come. */
export interface FilteredColumn {
  readonly sql: string;
  /** The same as a number, where it is one: of dates, days since 1970. */
  readonly asNumber?: string;
}

/** What stands after `where`. */
export function conditionOf(filter: RowFilter, columns: readonly FilteredColumn[], rows: number): string {
  const at = (column: number): FilteredColumn => {
    const found = columns[column];
    if (!found)
      throw new RangeError(`filter: a column must be a whole number from 0 to ${columns.length - 1}, got ${column}`);
    return found;
  };
  const { text, textIn, clusters, below, ranges = [], values = [], rows: places, mask } = filter;
  const conditions = [
    ...(text ? [containing(text, textIn ? textIn.map(at) : columns)] : []),
    ...(clusters ? [inList("cluster", clusters)] : []),
    ...(below === undefined ? [] : [`confidence < ${finite(below)}`]),
    ...ranges.map(({ column, from, to }) => between(column, at(column), from, to)),
    ...values.map(({ column, values }) => oneOf(at(column).sql, values)),
    ...(places ? [inList("place", places)] : []),
    ...(mask ? [masked(mask, rows)] : []),
  ];
  return conditions.length === 0 ? "true" : conditions.map((condition) => `(${condition})`).join(" and ");
}

function containing(text: string, columns: readonly FilteredColumn[]): string {
  const wanted = quoteText(text.toLowerCase());
  return columns.map(({ sql }) => `contains(lower(${sql}::varchar), ${wanted})`).join(" or ") || "false";
}

function inList(sql: string, numbers: readonly number[]): string {
  return numbers.length === 0 ? "false" : `${sql} in (${numbers.map(whole).join(", ")})`;
}

function between(column: number, { asNumber }: FilteredColumn, from: number, to: number): string {
  if (asNumber === undefined)
    throw new RangeError(`filter: column ${column} has no numbers to be between ${from} and ${to}`);
  return `${asNumber} between ${finite(from)} and ${finite(to)}`;
}

function oneOf(sql: string, values: readonly (string | null)[]): string {
  const texts = values.filter((value) => value !== null).map(quoteText);
  const found = texts.length > 0 ? [`${sql}::varchar in (${texts.join(", ")})`] : [];
  return [...found, ...(values.includes(null) ? [`${sql} is null`] : [])].join(" or ") || "false";
}

/** DuckDB counts bits from the left. */
function masked(mask: Uint8Array, rows: number): string {
  if (mask.length !== Math.ceil(rows / 8)) {
    throw new RangeError(`filter: a mask must have a bit for each of the ${rows} rows, got ${mask.length} bytes`);
  }
  let bits = "";
  for (let row = 0; row < rows; row++) bits += (mask[row >> 3]! >> (row & 7)) & 1;
  return `get_bit('${bits}'::bit, place) = 1`;
}

function whole(number: number): number {
  if (!Number.isSafeInteger(number)) throw new RangeError(`filter: must be a whole number, got ${number}`);
  return number;
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw new RangeError(`filter: must be a number, got ${number}`);
  return number;
}
