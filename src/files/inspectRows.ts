/** What is in a file before anything is learned from it: every column, what it is for, and why. */

import { type ColumnReport, columnReport } from "../data/columnReport.ts";
import { sizeOf } from "../tensor/tensor.ts";
import type { OpenedRows, OpenOptions } from "./openedRows.ts";
import { openRows } from "./openRows.ts";

export interface Inspection {
  /** What people call it. */
  readonly source: string;
  readonly rows: number;
  /** The shape of what is learned from: [columns], or [channels, height, width]. */
  readonly row: readonly number[];
  /** One line: what would be used, and what would not. */
  readonly description: string;
  readonly columns: readonly ColumnReport[];
}

/** Looks at a source that `openRows` could open. Of a table no row is kept, and missing values are no matter. */
export async function inspectRows(source: string, options: OpenOptions = {}): Promise<Inspection> {
  const opened = await openRows(source, { missing: "mean", ...options, isLook: true });
  const { data, description } = opened;
  await opened.close();
  return { source, rows: data.count, row: data.row, description, columns: columnReports(opened) };
}

/** Of tables, each column; of arrays and images, what takes the place of columns. */
export function columnReports({ columns, data, ids, labels }: OpenedRows): ColumnReport[] {
  if (columns) return columns.map(columnReport);
  const { row, range } = data;
  const isPicture = row.length > 1;
  const [name, type] = isPicture ? ["pixels", `image of ${row.join("×")}`] : ["numbers", `vector of ${sizeOf(row)}`];
  const used = {
    isUsed: true,
    missing: 0,
    range: [...range],
    reason: isPicture ? "pictures" : "numbers without names",
  };
  const beside = { isUsed: false, missing: 0, type: "text" };
  return [
    { name, role: "feature", type, ...used },
    ...(ids?.names ?? []).map((id) => ({ ...beside, name: id, role: "id" as const, reason: "names the rows" })),
    ...(labels
      ? [
          {
            ...beside,
            name: "labels",
            role: "label" as const,
            distinct: labels.names.length,
            reason: "known classes: for scores only",
          },
        ]
      : []),
  ];
}
