/** A table that is in memory, column by column: what a tab has of a file. */

import type { Column } from "../column.ts";
import { type DecimalMark, writtenNumber } from "../writtenNumber.ts";
import { writtenDays } from "./writtenDays.ts";

/** Dates are days since 1970 in universal time. */
export type HeldCell = string | number | boolean | null | ArrayLike<number>;

export interface HeldColumn extends Pick<Column, "name" | "kind" | "integer" | "length" | "trouble"> {
  readonly cells: readonly HeldCell[];
}

export interface HeldTable {
  readonly columns: readonly HeldColumn[];
  readonly count: number;
}

/** What stands for no value in a file of texts. */
const absent = new Set(["", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "\\N", "?"]);
/** A column of so few values, with so many rows each, is a category even where most of them are numbers. */
const [fewValues, rowsOfValue] = [12, 5];

/** A table of texts, as in CSV: what each column is, is seen by its values. */
export function tableOfTexts(
  where: string,
  header: readonly string[],
  lines: readonly (readonly string[])[],
): HeldTable {
  const ragged = lines.findIndex((line) => line.length !== header.length);
  if (ragged >= 0) {
    throw new RangeError(
      `${where}: every row must have ${header.length} values as the header has, row ${ragged} has ${lines[ragged]!.length}`,
    );
  }
  const names = distinctNames(header);
  const columns = names.map((name, at) =>
    columnOfTexts(
      name,
      lines.map((line) => (absent.has(line[at]!.trim()) ? null : line[at]!)),
    ),
  );
  return checked(where, { columns, count: lines.length });
}

/** A table of values, as in Parquet: numbers, texts, booleans, dates, and lists of numbers. */
export function tableOfValues(where: string, given: ReadonlyMap<string, readonly unknown[]>): HeldTable {
  const columns = [...given].map(([name, values]) => columnOfValues(name, values));
  return checked(where, { columns, count: columns[0]?.cells.length ?? 0 });
}

function checked(where: string, table: HeldTable): HeldTable {
  if (table.count === 0) throw new RangeError(`${where}: has ${table.columns.length} columns and no rows`);
  return table;
}

function distinctNames(header: readonly string[]): string[] {
  const seen = new Set<string>();
  return header.map((given, at) => {
    const bare = given.trim() || `column${at}`;
    let name = bare;
    for (let i = 1; seen.has(name); i++) name = `${bare}_${i}`;
    seen.add(name);
    return name;
  });
}

function columnOfTexts(name: string, texts: readonly (string | null)[]): HeldColumn {
  const present = texts.filter((text) => text !== null);
  if (present.length === 0) return { name, kind: "empty", cells: texts };
  if (present.every((text) => /^(true|false)$/i.test(text.trim()))) {
    return { name, kind: "boolean", cells: texts.map((text) => text && text.trim().toLowerCase() === "true") };
  }
  for (const mark of ["point", "comma"] as const) {
    const numbers = numbersOf(texts, mark);
    const read = numbers.filter((number) => number !== null).length;
    if (read === present.length) return numberColumn(name, numbers);
    if (2 * read >= present.length && !isFew(present)) {
      const first = texts.findIndex((text, i) => text !== null && numbers[i] === null);
      const trouble = `should be numbers, ${present.length - read} of ${present.length} values are not, the first in row ${first}: ${texts[first]!.slice(0, 40)}; a fit refuses it`;
      return { name, kind: "text", cells: texts, trouble };
    }
  }
  const days = writtenDays(texts);
  return days ? { name, kind: "date", cells: days } : { name, kind: "text", cells: texts };
}

function numbersOf(texts: readonly (string | null)[], mark: DecimalMark): (number | null)[] {
  return texts.map((text) => (text === null ? null : (writtenNumber(text, mark) ?? null)));
}

function isFew(present: readonly string[]): boolean {
  const distinct = new Set(present).size;
  return distinct <= fewValues && present.length >= rowsOfValue * distinct;
}

function numberColumn(name: string, cells: readonly (number | null)[]): HeldColumn {
  const isWhole = cells.every((cell) => cell === null || Number.isInteger(cell));
  return { name, kind: "number", cells, ...(isWhole && { integer: true }) };
}

function columnOfValues(name: string, values: readonly unknown[]): HeldColumn {
  const [first] = values.filter((value) => value !== null && value !== undefined);
  const whole = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);
  if (first === undefined) return { name, kind: "empty", cells: values.map(() => null) };
  if (typeof first === "number" || typeof first === "bigint") {
    const numbers = values.map((value) => (typeof whole(value) === "number" ? (whole(value) as number) : null));
    return numberColumn(
      name,
      numbers.map((number) => (Number.isNaN(number) ? null : number)),
    );
  }
  if (typeof first === "boolean")
    return { name, kind: "boolean", cells: values.map((value) => (value as boolean) ?? null) };
  if (first instanceof Date) {
    return {
      name,
      kind: "date",
      cells: values.map((value) => (value instanceof Date ? value.getTime() / 86_400_000 : null)),
    };
  }
  if (Array.isArray(first) || ArrayBuffer.isView(first))
    return vectorColumn(
      name,
      values.map((value) => value as ArrayLike<number>),
    );
  if (typeof first === "string")
    return { name, kind: "text", cells: values.map((value) => (value == null ? null : String(value))) };
  return { name, kind: "other", cells: values.map(() => null) };
}

function vectorColumn(name: string, cells: readonly (ArrayLike<number> | null)[]): HeldColumn {
  const length = Math.max(...cells.map((cell) => cell?.length ?? 0));
  const isNumbers = typeof whole(cells.find((cell) => (cell?.length ?? 0) > 0)?.[0]) === "number";
  const wrong = cells.findIndex((cell) => cell?.length !== length);
  if (!isNumbers || length === 0) return { name, kind: "other", cells };
  if (wrong < 0) return { name, kind: "vector", length, cells };
  const trouble = `vectors must have one length, got up to ${length} numbers, and ${cells[wrong]?.length ?? "none"} in row ${wrong}`;
  return { name, kind: "other", cells, trouble };
}

function whole(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
