/** The columns of a stream, matched by name to those that a run was fitted to. */

import type { SourceDescription } from "../folder/description.ts";
import { BadRow, idOf, listOf, numberOf, shown } from "./cells.ts";
import type { Header, Record } from "./records.ts";

export interface RowReader {
  /** The id columns that are here. */
  readonly ids: readonly string[];
  /** Columns that nothing is made of. */
  readonly ignored: readonly string[];
  idsOf(record: Record): string[];
  /** The numbers of a row. */
  numbersOf(record: Record): Float32Array;
}

/** What is made of one column: numbers at some places of the row. */
interface Part {
  readonly column: string;
  /** The numbers in the order of `places`; NaN where one is missing. */
  read(value: unknown): number[];
  readonly places: number[];
}

type Fitted = Pick<SourceDescription, "columns" | "ids" | "filled" | "options">;

export function rowReader(where: string, header: Header, fitted: Fitted): RowReader {
  const here = new Set(header.names);
  const parts = partsOf(where, header, fitted);
  const ids = fitted.ids.filter((name) => here.has(name));
  const used = new Set([...parts.map(({ column }) => column), ...ids]);
  for (const name of used) {
    if (header.names.indexOf(name) !== header.names.lastIndexOf(name)) {
      throw new RangeError(`${where}: must have the column ${name} once, it has it twice; rename one`);
    }
  }
  return {
    ids,
    ignored: header.names.filter((name) => !used.has(name)),
    idsOf: (record) => ids.map((name) => idOf(name, record(name))),
    numbersOf(record) {
      const row = new Float32Array(fitted.columns.length);
      for (const { column, read, places } of parts) {
        const value = record(column);
        read(value).forEach((number, i) => {
          row[places[i]!] = checked(number, value, fitted, places[i]!);
        });
      }
      return row;
    },
  };
}

function checked(number: number, value: unknown, { columns, filled }: Fitted, place: number): number {
  if (Number.isNaN(number)) {
    if (filled) return filled[place]!;
    throw new BadRow(`column ${columns[place]} must have a value, it has none; the run was fitted to whole rows`);
  }
  if (Number.isFinite(Math.fround(number))) return number;
  throw new BadRow(`column ${columns[place]} must be finite and below 3.4e38, got ${shown(value)}`);
}

function partsOf(where: string, header: Header, fitted: Fitted): Part[] {
  const { columns } = fitted;
  const here = new Set(header.names);
  const groups = new Map<string, { kind: "number" | "element" | "category"; places: number[]; of: string[] }>();
  const missing: string[] = [];
  for (const [place, name] of columns.entries()) {
    const found = columnOf(name, here);
    if (!found) {
      missing.push(name);
      continue;
    }
    const key = `${found.kind} ${found.column}`;
    const group = groups.get(key) ?? { kind: found.kind, places: [], of: [] };
    group.places.push(place);
    group.of.push(found.of);
    groups.set(key, group);
  }
  if (missing.length > 0) throw missingColumns(where, missing, header);
  return [...groups].map(([key, { kind, places, of }]) => {
    const column = key.slice(kind.length + 1);
    return { column, places, read: readers[kind](column, of, fitted) };
  });
}

/** A column of this name, a vector that it is a part of, or a text that it is a value of. */
function columnOf(name: string, here: ReadonlySet<string>) {
  if (here.has(name)) return { kind: "number" as const, column: name, of: "" };
  const [, vector = "", index = ""] = /^(.*)\[(\d+)\]$/s.exec(name) ?? [];
  if (here.has(vector)) return { kind: "element" as const, column: vector, of: index };
  for (let at = name.indexOf("="); at >= 0; at = name.indexOf("=", at + 1)) {
    const column = name.slice(0, at);
    if (here.has(column)) return { kind: "category" as const, column, of: name.slice(at + 1) };
  }
  return undefined;
}

type Reader = (column: string, of: readonly string[], fitted: Fitted) => (value: unknown) => number[];

const readers: { readonly [kind in "number" | "element" | "category"]: Reader } = {
  number: (column) => (value) => {
    const number = numberOf(value);
    if (number === undefined) throw new BadRow(`column ${column} must be a number, got ${shown(value)}`);
    return [number];
  },
  category: (_, values) => (value) =>
    values.map((each) => (value === null || value === undefined ? Number.NaN : Number(String(value) === each))),
  element(column, of, { options }) {
    const places = of.map(Number);
    const least = Math.max(...places) + 1;
    // Whoever has chosen single numbers of a vector may have left out its end.
    const isWhole = !options.columns?.some((name) => name.startsWith(`${column}[`));
    return (value) => {
      if (value === null || value === undefined) return places.map(() => Number.NaN);
      const list = listOf(value);
      if (!list) throw new BadRow(`column ${column} must be a list of numbers, got ${shown(value)}`);
      if (list.length < least || (isWhole && list.length > least)) {
        throw new BadRow(`column ${column} must be a list of ${least} numbers, got ${list.length}`);
      }
      return places.map((place) => {
        const number = numberOf(list[place]);
        if (number === undefined)
          throw new BadRow(`column ${column}[${place}] must be a number, got ${shown(list[place])}`);
        return number;
      });
    };
  },
};

function missingColumns(where: string, missing: readonly string[], { names, separator }: Header): RangeError {
  const some = (all: readonly string[]): string =>
    `${all.slice(0, 8).join(", ")}${all.length > 8 ? ` and ${all.length - 8} more` : ""}`;
  const first = separator === undefined ? "the first object must have" : "the first line must name";
  const cure = separator === undefined ? "; write null where there is no value" : "";
  return new RangeError(
    `${where}: ${first} the columns that the run was fitted to, ${some(missing)} ${missing.length === 1 ? "is" : "are"} missing; it has ${some(names) || "none"}${cure}`,
  );
}
