/** The rows of a run in the page's own memory, asked as the server's table is: pages, masks, columns, a file. */

import type { Filter, SelectionRequest, TablePage, TableRequest } from "../../api/rows.ts";
import type { Cell } from "../../api/values.ts";
import { csvCell } from "../../text/csvCell.ts";

export type Form = "number" | "date" | "category" | "none";
export const placements = ["cluster", "second", "confidence", "margin", "distance", "outlier"] as const;
export type PlacementName = (typeof placements)[number];
export type Placements = Readonly<Record<PlacementName, ArrayLike<number>>>;

export interface CellColumn {
  readonly name: string;
  readonly form: Form;
  /** Dates are days since 1970. */
  readonly cells: readonly Cell[];
}

/** Letters of a text in a table; values of a category that are told apart. */
const [cellLetters, mostValues] = [200, 255];

export class CellTable {
  readonly columns: readonly CellColumn[];
  readonly rows: number;
  readonly #placements: Placements;
  /** The number of each row in its file. */
  readonly #numbers: ArrayLike<number>;

  constructor(columns: readonly CellColumn[], placed: Placements, numbers: ArrayLike<number>) {
    this.columns = columns;
    this.rows = numbers.length;
    this.#placements = placed;
    this.#numbers = numbers;
  }

  placement(name: PlacementName): Uint32Array | Float32Array {
    const values = this.#placements[name];
    return name === "cluster" || name === "second" ? Uint32Array.from(values) : Float32Array.from(values);
  }

  /** Some of the rows that a filter has, in an order, and how many it has. */
  page({ filter = {}, sort, offset = 0, limit = 100 }: TableRequest): TablePage {
    const found = this.#found(filter);
    if (sort && sort.by !== "row") this.#sort(found, sort.by, sort.descending ?? false);
    else if (sort?.descending) found.reverse();
    return {
      ...{ total: found.length, offset, columns: this.columns.map(({ name }) => name) },
      rows: found.slice(offset, offset + limit).map((row) => this.row(row, cellLetters)),
    };
  }

  row(row: number, letters = Infinity): TablePage["rows"][number] {
    const placed = Object.fromEntries(placements.map((name) => [name, this.#placements[name][row]!]));
    const cells = this.columns.map((_, at) => {
      const cell = this.cell(at, row);
      return typeof cell === "string" ? cell.slice(0, letters) : cell;
    });
    return { ...(placed as Record<PlacementName, number>), row, number: this.#numbers[row]!, cells };
  }

  /** As it is shown. */
  cell(column: number, row: number): Cell {
    const { form, cells } = this.columns[column]!;
    const cell = cells[row]!;
    return form === "date" && typeof cell === "number" ? dateText(cell) : cell;
  }

  /** A bit for each row that a filter has, the lowest first. */
  mask(filter: Filter): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.rows / 8));
    for (const row of this.#found(filter)) bits[row >> 3]! |= 1 << (row & 7);
    return bits;
  }

  /** The numbers of a column, NaN where there is none. */
  numbers(column: number): Float32Array | Float64Array {
    const { form, cells } = this.columns[column]!;
    const numbers = cells.map((cell) => (typeof cell === "number" ? cell : Number.NaN));
    return form === "date" ? Float64Array.from(numbers) : Float32Array.from(numbers);
  }

  /** The values of a category by their codes, the most frequent first. */
  codes(column: number): { readonly codes: Uint32Array; readonly values: string[]; readonly hasOther: boolean } {
    const { cells } = this.columns[column]!;
    const counts = new Map<string, number>();
    for (const cell of cells) if (cell !== null) counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1);
    const order = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([value]) => value);
    const values = order.slice(0, mostValues);
    const places = new Map(values.map((value, i) => [value, i + 1]));
    const codeOf = (cell: Cell): number => (cell === null ? 0 : (places.get(String(cell)) ?? values.length + 1));
    return { codes: Uint32Array.from(cells, codeOf), values, hasOther: order.length > values.length };
  }

  /** All that is known of the rows of a filter, as text. */
  csv({ filter = {} }: Pick<SelectionRequest, "filter">): string {
    const header = ["row", ...placements, ...this.columns.map(({ name }) => name)];
    const lines = this.#found(filter).map((row) => [
      this.#numbers[row]!,
      ...placements.map((name) => this.#placements[name][row]!),
      ...this.columns.map((_, at) => this.cell(at, row)),
    ]);
    return `${[header, ...lines].map((line) => line.map(written).join(",")).join("\n")}\n`;
  }

  #found(filter: Filter): number[] {
    const tests = this.#tests(filter);
    const found: number[] = [];
    for (let row = 0; row < this.rows; row++) if (tests.every((test) => test(row))) found.push(row);
    return found;
  }

  #tests({
    text,
    textIn,
    clusters,
    below,
    ranges = [],
    values = [],
    rows,
    mask,
  }: Filter): ((row: number) => boolean)[] {
    const tests: ((row: number) => boolean)[] = [];
    const wanted = text?.toLowerCase();
    if (wanted) {
      const looked = textIn ?? this.columns.map((_, at) => at);
      tests.push((row) =>
        looked.some((at) =>
          String(this.cell(at, row) ?? "")
            .toLowerCase()
            .includes(wanted),
        ),
      );
    }
    if (clusters) tests.push((row) => clusters.includes(this.#placements.cluster[row]!));
    if (below !== undefined) tests.push((row) => this.#placements.confidence[row]! < below);
    for (const { column, from, to } of ranges) {
      const numbers = this.numbers(column);
      tests.push((row) => numbers[row]! >= from && numbers[row]! <= to);
    }
    for (const { column, values: some } of values) {
      const { cells } = this.columns[column]!;
      tests.push((row) => some.includes(cells[row] === null ? null : String(cells[row])));
    }
    if (rows) {
      const places = new Set(rows);
      tests.push((row) => places.has(row));
    }
    if (mask !== undefined) {
      const bits = Uint8Array.from(atob(mask), (letter) => letter.charCodeAt(0));
      tests.push((row) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1);
    }
    return tests;
  }

  /** What is missing comes last; rows that are alike stay in their order. */
  #sort(rows: number[], by: NonNullable<TableRequest["sort"]>["by"], isDescending: boolean): void {
    const values: ArrayLike<Cell> =
      typeof by === "number" ? this.columns[by]!.cells : (this.#placements[by as PlacementName] as ArrayLike<number>);
    const sign = isDescending ? -1 : 1;
    rows.sort((one, other) => {
      const [a, b] = [values[one]!, values[other]!];
      if (a === null || b === null) return a === b ? one - other : a === null ? 1 : -1;
      return a === b ? one - other : sign * (a < b ? -1 : 1);
    });
  }
}

/** 2024-02-29 from days since 1970, with the time where there is one: 2024-02-29 10:30:05. */
export function dateText(days: number): string {
  const text = new Date(Math.round(days * 86_400) * 1000).toISOString();
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}

/** Numbers as exactly as they are; people open the file in spreadsheets, so that no text of it is a formula. */
function written(cell: Cell): string {
  return csvCell(cell === null ? null : String(cell), true);
}
