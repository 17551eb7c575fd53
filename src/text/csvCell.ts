/** A cell of a CSV file. */

import { digits } from "./digits.ts";

export type Cell = string | number | null;

/** What spreadsheets take for the beginning of a formula, also in the wide letters of East Asia. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Quoted where it has to be. With a guard, a text that a spreadsheet would run has a ' before it, and no number. */
export function csvCell(cell: Cell, guardFormulas = false): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? digits(cell) : "";
  const text = guardFormulas ? guardedText(cell) : cell;
  return /[",\n\r]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;
}

export function guardedText(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The same for a column of text in a query of DuckDB: `column` is its quoted name. */
export function guardedInQuery(column: string): string {
  const isFormula = `regexp_matches(${column}, '^[=+\\-@\\t\\r\\n＝＋－＠]')`;
  const isNumber = `regexp_full_match(${column}, '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?')`;
  return `case when ${isFormula} and not ${isNumber} then '''' || ${column} else ${column} end`;
}
