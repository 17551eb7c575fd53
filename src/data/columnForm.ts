/** How the values of a column are shown: as numbers, as dates, as one of a few values, or one by one. */

import type { ColumnReport } from "./columnReport.ts";

/** How the values of a column come: of texts that hardly repeat, not at all. */
export type ColumnForm = "number" | "date" | "category" | "none";

/** Texts with more different values than these are no categories. */
const mostDistinct = 1000;

/** Of a column of so many rows. */
export function formOf({ type, role, distinct = Number.POSITIVE_INFINITY }: ColumnReport, rows: number): ColumnForm {
  if (type === "number" || type === "whole") return "number";
  if (type === "date") return "date";
  const isRead = role === "id" || role === "text";
  const isFew = distinct <= Math.min(mostDistinct, rows / 2);
  return type === "boolean" || (type === "text" && isFew && !isRead) ? "category" : "none";
}
