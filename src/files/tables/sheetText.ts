/** A sheet of a workbook as CSV: the table in it, from the row of its names on. */

import { csvCell } from "../../text/csvCell.ts";
import type { Sheet, SheetRow } from "./workbook.ts";

/** What is above a table is within so many rows. */
const lookedAt = 50;

export interface Outline {
  /** Rows above that of the names. */
  readonly above: number;
  /** The columns that have a value from there on, in order. */
  readonly columns: readonly number[];
}

/** Titles and notes stand above a table, and fill less than half as many cells as its rows. */
export async function outlineOf(sheet: Sheet): Promise<Outline> {
  const first: SheetRow[] = [];
  const columns = new Set<number>();
  let above = 0;
  const add = (cells: SheetRow): void => {
    for (const column of cells.keys()) columns.add(column);
  };
  const decide = (): void => {
    const most = first.reduce((size, cells) => Math.max(size, cells.size), 0);
    above = Math.max(
      0,
      first.findIndex((cells) => 2 * cells.size > most),
    );
    first.slice(above).forEach(add);
  };
  let count = 0;
  for await (const cells of sheet.rows()) {
    if (count < lookedAt) first.push(cells);
    else add(cells);
    if (++count === lookedAt) decide();
  }
  if (count < lookedAt) decide();
  return { above, columns: [...columns].sort((a, b) => a - b) };
}

/** In letters, what is written at once. */
const atOnce = 2 ** 16;

/**
 * A text that many cells have is in the workbook once, and in the table as often as they have it: more than this, in
 * letters, or so many times the size of its sheet, is no table that people have made.
 */
const [harmless, mostTimes] = [2 ** 28, 50];

export async function* csvOf(where: string, sheet: Sheet, { above, columns }: Outline): AsyncGenerator<Uint8Array> {
  const most = Math.max(harmless, mostTimes * sheet.bytes);
  let [text, count, written] = ["", 0, 0];
  for await (const cells of sheet.rows()) {
    if (count++ < above) continue;
    for (const [i, column] of columns.entries()) {
      text += `${i > 0 ? "," : ""}${csvCell(cells.get(column) ?? null)}`;
      if (text.length < atOnce) continue;
      written += text.length;
      if (written > most) {
        throw new RangeError(
          `${where}: the texts of its cells come to more than ${most} letters, from a sheet of ${sheet.bytes} bytes; save it as CSV if it is a table`,
        );
      }
      yield Buffer.from(text);
      text = "";
    }
    text += "\n";
  }
  yield Buffer.from(text);
}
