/** What is answered about rows: their columns, tables and masks of them, and why each is where it is. */

import { readFile } from "node:fs/promises";
import type { SomeHandlers } from "../../api/handlers.ts";
import type { Filter } from "../../api/rows.ts";
import type { Explanation } from "../../api/runs.ts";
import type { NearRow, PageOptions, RowFilter } from "../../doors/inside.ts";
import { notFound, Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";
import { pictureOf } from "./runs.ts";

/** Letters of a text in a table. */
const cellLetters = 200;

const files = {
  csv: { type: "text/csv; charset=utf-8", ending: "csv" },
  parquet: { type: "application/vnd.apache.parquet", ending: "parquet" },
} as const;

export function rowAnswers(
  shelf: RunShelf,
): SomeHandlers<"column" | "dictionary" | "row" | "picture" | "explanation" | "table" | "mask" | "selection"> {
  const tableOf = async (run: string) => (await shelf.get(run)).table();
  const columnOf = async (run: string, place: number) => {
    const table = await tableOf(run);
    const column = table.columns[place];
    if (!column) throw notFound("such column");
    return { table, column };
  };
  return {
    async column({ in: { run, column: place } }) {
      const { table, column } = await columnOf(run, place);
      if (column.form === "none")
        throw new Refused(409, `the texts of ${column.name} hardly repeat: ask for rows, or search them`);
      return { numbers: column.form === "category" ? (await table.codes(place)).codes : await table.numbers(place) };
    },

    async dictionary({ in: { run, column: place } }) {
      const { table, column } = await columnOf(run, place);
      if (column.form !== "category") throw new Refused(409, `${column.name} is no category`);
      const { values, hasOther } = await table.codes(place);
      return { column: column.name, values: [...values], hasOther };
    },

    async row({ in: { run, row } }) {
      const table = await tableOf(run);
      const { rows } = await table.page({ filter: { rows: [row] } });
      const [found] = rows;
      if (!found) throw notFound("such row");
      const { number, cells, ...placement } = found;
      return {
        row,
        number,
        placement,
        values: table.columns.map(({ name }, at) => ({ column: name, value: cells[at]! })),
      };
    },

    async picture({ in: { run, row } }) {
      const opened = await shelf.get(run);
      checkRow(row, opened.run.description.source.rows);
      return pictureOf(opened.run, [...(await opened.values(row))]);
    },

    async explanation({ in: { run, row }, query: { against } }) {
      const opened = await shelf.get(run);
      checkRow(row, opened.run.description.source.rows);
      const { why, ...explanation } = await (await opened.asked()).model.explain(row, against);
      const id = await idOf(opened.run.description.source.ids.length, await opened.table(), row);
      const placeOf = await opened.placeOf();
      const placed = (rows: readonly NearRow[]) => rows.map((near) => ({ ...near, row: placeOf(near.row) }));
      const near = why && { own: placed(why.near.own), other: placed(why.near.other) };
      const answer = { ...explanation, row, ...(id !== undefined && { id }), ...(why && { why: { ...why, near } }) };
      return answer as Explanation;
    },

    async table({ in: { run }, body: { filter, sort, offset = 0, limit = 100 } }) {
      const table = await tableOf(run);
      const wanted: PageOptions = {
        ...(filter && { filter: rowFilter(filter) }),
        ...(sort && { sort: { by: sort.by, ...(sort.descending && { descending: true }) } }),
        ...{ offset, limit, letters: cellLetters },
      };
      const { total, rows } = await table.page(wanted);
      return {
        total,
        offset,
        columns: table.columns.map(({ name }) => name),
        rows: rows.map(({ cells, ...row }) => ({ ...row, cells: [...cells] })),
      };
    },

    async mask({ in: { run }, body: { filter } }) {
      return { numbers: await (await tableOf(run)).mask(rowFilter(filter)) };
    },

    async selection({ in: { run }, body: { filter, format } }) {
      const opened = await shelf.get(run);
      const bytes = await (await opened.table()).saved(filter ? rowFilter(filter) : {}, format, (file) =>
        readFile(file),
      );
      return { bytes, type: files[format].type, name: `${opened.run.name}-rows.${files[format].ending}` };
    },
  };
}

function checkRow(row: number, rows: number): void {
  if (row >= rows) throw notFound("such row");
}

async function idOf(
  ids: number,
  table: Awaited<ReturnType<Awaited<ReturnType<RunShelf["get"]>>["table"]>>,
  row: number,
) {
  if (ids === 0) return undefined;
  const [found] = (await table.page({ filter: { rows: [row] } })).rows;
  return found?.cells.slice(0, ids).join(", ");
}

function rowFilter({ mask, ...rest }: Filter): RowFilter {
  return { ...rest, ...(mask !== undefined && { mask: new Uint8Array(Buffer.from(mask, "base64")) }) };
}
