/** The numbers of a row as expressions over the columns of a table, for one engine or another. */

import { sizeOf } from "../../../tensor/tensor.ts";

/** What the numbers of a row are called; where they have no names, some are made up. */
export function names(columns: readonly string[], row: readonly number[]): readonly string[] {
  return columns.length > 0 ? columns : Array.from({ length: sizeOf(row) }, (_, i) => `c${i}`);
}

/** How an engine takes a number out of a vector. */
export type Element = (column: string, index: number) => string;

/** A column, a part of a vector column, or whether a text is this one, as `Loaded.columns` names them. */
export function expression(name: string, quote: string, element: Element): string {
  const [, vector, index] = /^(.+)\[(\d+)\]$/s.exec(name) ?? [];
  if (vector !== undefined) return element(identifier(vector, quote), Number(index));
  const [, column, value] = /^([^=]+)=(.*)$/s.exec(name) ?? [];
  if (column === undefined) return identifier(name, quote);
  return `CASE WHEN ${identifier(column, quote)} = ${quoted(value!, quote === '"' ? "''" : "\\'")} THEN 1 ELSE 0 END`;
}

/** The same as a float, with NaN for what is missing where the model fills it in. */
export function cast(name: string, quote: string, element: Element, fills: boolean, type: string): string {
  const value = `CAST(${expression(name, quote, element)} AS ${type})`;
  return fills ? `COALESCE(${value}, CAST('NaN' AS ${type}))` : value;
}

export function listed(
  items: readonly string[],
  show: (item: string, index: number) => string,
  indent: string,
): string {
  return items.map((item, i) => `${indent}${show(item, i)}${i + 1 < items.length ? "," : ""}`).join("\n");
}

export function identifier(name: string, quote: string): string {
  return `${quote}${name.replaceAll(quote, quote === '"' ? '""' : "")}${quote}`;
}

export function quoted(text: string, escaped: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return `'${(escaped === "''" ? line : line.replaceAll("\\", "\\\\")).replaceAll("'", escaped)}'`;
}
