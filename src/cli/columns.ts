/** Columns as a table for people: what each is for, what it holds, and why. */

import type { ColumnReport } from "../doors/inside.ts";
import { reasonWords, roleWords, valueWords } from "../doors/use.ts";
import { number } from "../text/number.ts";
import { counted, cut, hanging, table } from "./tables.ts";

/** More columns than these are not listed one by one before a fit: */
const mostListed = 24;
/** so many are then that are learned from. */
const mostUsed = 8;
/** Names are cut here, and values where reasons need the room: they get so much of a line, values up to the most. */
const [nameWidth, leastValues, mostValues, reasonsWidth] = [28, 26, 56, 45];

/** The reasons are broken where a line would be longer than `width`. */
export function columnTable(columns: readonly ColumnReport[], width = 100): string {
  const titles = [
    ...[{ title: "column" }, { title: "role" }, { title: "type" }],
    ...[{ title: "missing", align: "right" as const }, { title: "values" }],
  ];
  const cells = columns.map((column) => [
    cut(column.name || '""', nameWidth),
    column.role,
    column.type,
    missingWords(column.missing),
  ]);
  const tableOf = (values: readonly string[]): string[] =>
    table(
      titles,
      cells.map((cell, i) => [...cell, values[i]!]),
      Number.POSITIVE_INFINITY,
    ).split("\n");
  const before = tableOf(columns.map(() => ""))[0]!.lastIndexOf("values");
  const reasonsTake = Math.min(reasonsWidth, Math.max(...columns.map((column) => reasonWords(column).length)));
  const valuesWidth = Math.max(leastValues, Math.min(mostValues, width - before - 2 - reasonsTake));
  const [head, ...lines] = tableOf(columns.map((column) => cut(valueWords(column, number, valuesWidth), valuesWidth)));
  const start = Math.max(...[head!, ...lines].map((line) => line.length)) + 2;
  const reasons = columns.map((column, i) => hanging(lines[i]!.padEnd(start), reasonWords(column), width));
  return [`${head!.padEnd(start)}why`, ...reasons].join("\n");
}

/** What is not quite all is not 100 %, nor what is there 0 %. */
function missingWords(share: number): string {
  if (share === 0 || share === 1) return share === 0 ? "–" : "100 %";
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
}

/** What the roles of these columns mean, and what stands under values. */
export function roleLegend(columns: readonly ColumnReport[], width = 100): string {
  const roles = Object.entries(roleWords).filter(([role]) => columns.some((column) => column.role === role));
  const told = roles.map(([role, words]) => `${role}: ${words}`);
  const hasNumbers = columns.some(({ range }) => range?.length === 3);
  return hanging("", [...told, ...(hasNumbers ? ["numbers: least … middle … most"] : [])].join(" · "), width);
}

/** The same before a fit: of many columns, those that are not learned from, and how many are. */
export function fewColumns(columns: readonly ColumnReport[], width?: number): string {
  if (columns.length <= mostListed) return columnTable(columns, width);
  const [used, rest] = [columns.filter(({ isUsed }) => isUsed), columns.filter(({ isUsed }) => !isUsed)];
  const shownRest = rest.slice(0, mostListed - mostUsed);
  const shownUsed = used.slice(0, mostListed - shownRest.length);
  const [moreUsed, moreRest] = [used.length - shownUsed.length, rest.length - shownRest.length];
  const more = [
    ...(moreUsed > 0 ? [`${counted(moreUsed, "more column")} learned from`] : []),
    ...(moreRest > 0 ? [`${moreRest} more that are not`] : []),
  ];
  return `${columnTable([...shownRest, ...shownUsed], width)}\nand ${more.join(", and ")}: telltale inspect lists them all`;
}
