/** A row that somebody means, by its number in the file or by an id, among the rows that were read. */

import type { OpenedRows } from "../../files/openRows.ts";

interface Meant {
  readonly row?: number;
  readonly id?: string;
}

interface PlaceOfRow {
  /** Where it is among the rows that were read. */
  readonly at: number;
  /** Its number in the file. */
  readonly number: number;
  readonly id?: string;
}

/** The rows of a run are those that it was fitted to: only of a file that is given can others be asked for. */
const toFill = "to explain it, give the file and have missing values filled (--missing mean)";

/** Of so many rows with the same id, their numbers are said. */
const mostNamed = 5;

export async function placeOf(opened: OpenedRows, meant: Meant, where: string): Promise<PlaceOfRow> {
  const { row, id } = meant;
  if ((row === undefined) === (id === undefined)) {
    throw new RangeError(`${where}: which row? Say its number (row), or what it is called (id)`);
  }
  return row === undefined ? byId(opened, id!, where) : byNumber(opened, row, where);
}

async function byNumber({ data, numbers, dropped, ids }: OpenedRows, row: number, where: string): Promise<PlaceOfRow> {
  if (dropped?.rows.includes(row)) {
    throw new RangeError(`${where}: row ${row} was left out, since a value is missing; ${toFill}`);
  }
  const at = numbers ? numbers.indexOf(row) : row;
  if (!Number.isInteger(at) || at < 0 || at >= data.count) {
    const last = (numbers?.at(-1) ?? data.count - 1) || 0;
    throw new RangeError(`${where}: row must be a whole number from 0 to ${last}, got ${row}`);
  }
  if (!ids) return { at, number: row };
  let first = 0;
  for await (const batch of ids.inOrder(4096)) {
    if (at < first + batch.length) return { at, number: row, id: batch[at - first]!.join(", ") };
    first += batch.length;
  }
  return { at, number: row };
}

/** By any of its ids, or by all of them with a comma between. */
async function byId({ numbers, dropped, ids }: OpenedRows, id: string, where: string): Promise<PlaceOfRow> {
  if (!ids) {
    throw new RangeError(
      `${where}: has no column of ids to find "${id}" in; say which one names the rows (--id-column), or give the number of the row (--row)`,
    );
  }
  const isMeant = (row: readonly string[]): boolean => row.includes(id) || row.join(", ") === id;
  const found: number[] = [];
  let [first, whole] = [0, ""];
  for await (const batch of ids.inOrder(4096)) {
    batch.forEach((row, i) => {
      if (!isMeant(row)) return;
      if (found.push(first + i) === 1) whole = row.join(", ");
    });
    first += batch.length;
  }
  const columns = ids.names.join(" or ");
  const numberOf = (at: number): number => numbers?.[at] ?? at;
  if (found.length > 1) {
    const some = found.slice(0, mostNamed).map(numberOf).join(", ");
    throw new RangeError(
      `${where}: ${found.length} rows have "${id}" as ${columns}: ${some}${found.length > mostNamed ? ", …" : ""}; say which with --row`,
    );
  }
  const [at] = found;
  if (at !== undefined) return { at, number: numberOf(at), id: whole };
  if (dropped?.ids?.some(isMeant)) {
    throw new RangeError(`${where}: "${id}" was left out, since a value is missing; ${toFill}`);
  }
  throw new RangeError(`${where}: no row has "${id}" as ${columns}`);
}
