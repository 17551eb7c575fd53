/** A file in the tab as rows to learn from, and as a table to look at. */

import type { RowOptions } from "../../api/fits.ts";
import type { Cell } from "../../api/values.ts";
import {
  type ColumnReport,
  columnReport,
  type Data,
  type Feature,
  formOf,
  type HeldCell,
  heldBeside,
  heldRoles,
  heldRows,
  inMemory,
  type RowsBeside,
  tensor,
} from "../../doors/tab.ts";
import type { CellColumn } from "../here/cellTable.ts";
import { type Dropped, type Read, readDropped } from "./tabFile.ts";

export interface TabRows {
  readonly data: Data;
  readonly features?: readonly Feature[];
  readonly filled?: readonly number[];
  missingOf(row: number): readonly number[] | undefined;
  /** A name for each row; the columns that it is made of. */
  readonly ids?: readonly (readonly string[])[];
  readonly idNames: readonly string[];
  readonly beside?: RowsBeside;
  readonly columns: readonly (CellColumn & { readonly report: ColumnReport })[];
  /** Where each row is in the file. */
  readonly numbers: ArrayLike<number>;
  readonly description: string;
}

export interface TabInspection {
  readonly rows: number;
  readonly description: string;
  readonly columns: readonly ColumnReport[];
  readonly preview: { readonly columns: string[]; readonly rows: (string | null)[][] };
}

/** Rows that are shown of a file, and letters of a value. */
const [previewed, longest] = [20, 200];

/** What is in a file: of tables every column and what it would be for. */
export async function inspectTab(dropped: Dropped, options: RowOptions): Promise<TabInspection> {
  const read = await readDropped(dropped, options.imageSize);
  if (read.kind === "array") {
    const { data, columns, description } = arrayRows(read);
    const reports = columns.map(({ report }) => report);
    return { rows: data.count, description, columns: [pixels(data), ...reports], preview: { columns: [], rows: [] } };
  }
  const { table } = read;
  const { columns, description } = heldRoles(dropped.name, table, options);
  const shown = Array.from({ length: Math.min(previewed, table.count) }, (_, row) =>
    table.columns.map(({ cells, kind }) => written(shownCell(cells[row]!, kind === "date"))),
  );
  return {
    ...{ rows: table.count, description, columns: columns.map(columnReport) },
    preview: { columns: table.columns.map(({ name }) => name), rows: shown },
  };
}

export async function openTabRows(dropped: Dropped, options: RowOptions): Promise<TabRows> {
  const read = await readDropped(dropped, options.imageSize);
  if (read.kind === "array") return arrayRows(read);
  const { table } = read;
  const rows = heldRows(dropped.name, table, options);
  const { features, columns, ids: idNames } = rows.roles;
  const data = inMemory(tensor("float32", [rows.count, features.length], rows.numbers));
  const places = [...rows.places];
  const cellsOf = (name: string): HeldCell[] => {
    const { cells } = table.columns.find((column) => column.name === name)!;
    return places.map((place) => cells[place]!);
  };
  const named = idNames.map(cellsOf);
  const shown = columns.filter(({ column: { kind } }) => kind !== "vector" && kind !== "other");
  const beside = heldBeside(table, rows, options.ignore);
  // Those that name rows come first.
  const order = [...shown].sort((a, b) => Number(b.role === "id") - Number(a.role === "id"));
  return {
    ...{ data, features, missingOf: rows.missingOf, idNames, numbers: rows.places, description: rows.description },
    ...(rows.filled && { filled: rows.filled }),
    ...(named.length > 0 && { ids: places.map((_, row) => named.map((cells) => String(cells[row] ?? ""))) }),
    ...(beside.columns.length > 0 && { beside }),
    columns: order.map((role) => {
      const report = columnReport(role);
      const form = role.role === "id" ? "none" : formOf(report, rows.count);
      const isDate = role.column.kind === "date";
      return {
        name: report.name,
        form,
        report,
        cells: cellsOf(report.name).map((cell) => (isDate ? (cell as number) : shownCell(cell, false))),
      };
    }),
  };
}

function arrayRows({ rows, names }: Read & { readonly kind: "array" }): TabRows {
  const data = inMemory(rows);
  const report = {
    name: "file",
    role: "id",
    isUsed: false,
    missing: 0,
    type: "text",
    reason: "names the rows",
  } as const;
  return {
    data,
    missingOf: () => undefined,
    idNames: names ? [report.name] : [],
    ...(names && { ids: names.map((name) => [name]) }),
    columns: names ? [{ name: report.name, form: "none", report, cells: names }] : [],
    numbers: Int32Array.from({ length: data.count }, (_, row) => row),
    description: data.row.length === 3 ? `pictures of ${data.row.join("×")}` : `${data.row[0]} numbers each`,
  };
}

function pixels({ row, range }: Data): ColumnReport {
  const isPicture = row.length > 1;
  return {
    name: isPicture ? "pixels" : "numbers",
    ...{ role: "feature", isUsed: true, missing: 0, range: [...range] },
    type: isPicture ? `image of ${row.join("×")}` : `vector of ${row[0]}`,
    reason: isPicture ? "pictures" : "numbers without names",
  };
}

function shownCell(cell: HeldCell, isDate: boolean): Cell {
  if (cell === null || typeof cell === "string" || typeof cell === "boolean") return cell;
  if (typeof cell === "number") return isDate ? new Date(cell * 86_400_000).toISOString().slice(0, 10) : cell;
  return `${cell.length} numbers`;
}

function written(cell: Cell): string | null {
  return cell === null ? null : String(cell).slice(0, longest);
}
