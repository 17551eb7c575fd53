/** A line of text as values by column. */

import { distinctNames } from "../../files/tables/columnNames.ts";
import { absent, separatorOf } from "../../files/tables/csv.ts";
import { parseJson } from "../../formats/json.ts";
import { briefly } from "../../formats/schema.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { BadRow } from "./cells.ts";

/**
 * What the first line says: the columns of a table and what parts them, or the names in the first object of JSON lines.
 */
export type Header = NonNullable<StreamState["header"]>;

/** The value of a column; null where there is none. */
export type ValueByColumn = (column: string) => unknown;

/** Reads lines after the header. */
export function recordReader(header: Header): (text: string) => ValueByColumn {
  if (header.separator === undefined) return objectOf;
  const { names, separator } = header;
  const places = new Map(names.map((name, i) => [name, i]));
  return (text) => {
    const cells = cellsOf(text, separator);
    if (cells.length !== names.length) {
      throw new BadRow(
        `must have ${names.length} values as the first line has, it has ${cells.length}: ${briefly(text)}`,
      );
    }
    return (column) => cells[places.get(column)!];
  };
}

export function csvHeader(text: string): Header {
  const separator = separatorOf(text.slice(0, text.search(/[\r\n]|$/)));
  return { separator, names: distinctNames(cellsOf(text, separator).map((cell) => cell ?? "")).names };
}

export function jsonHeader(text: string): Header {
  return { names: [...new Set(namesIn(parsed(text)))] };
}

/** Of an object inside, its names come after its own: address.city. */
function* namesIn(object: object, before = ""): Generator<string> {
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value)) yield* namesIn(value, `${before}${name}.`);
    else yield `${before}${name}`;
  }
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(text: string): ValueByColumn {
  const object = parsed(text);
  return (column) => valueIn(object, column);
}

/** A name may have points of its own: one that is there as it is comes first. */
function valueIn(object: { readonly [name: string]: unknown }, column: string): unknown {
  if (Object.hasOwn(object, column)) return object[column];
  for (let at = column.indexOf("."); at >= 0; at = column.indexOf(".", at + 1)) {
    const inner = Object.hasOwn(object, column.slice(0, at)) ? object[column.slice(0, at)] : undefined;
    if (isObject(inner)) return valueIn(inner, column.slice(at + 1));
  }
  return null;
}

function parsed(text: string): { [name: string]: unknown } {
  let found: unknown;
  try {
    found = parseJson(text);
  } catch {
    throw new BadRow(`must be a whole JSON object, got ${briefly(text)}`);
  }
  if (isObject(found)) return found;
  throw new BadRow(`must be a JSON object such as {"price": 3.5}, got ${briefly(text)}`);
}

/** Words for "there is no value" are null unless they are quoted. */
function cellsOf(text: string, separator: string): (string | null)[] {
  const cells: (string | null)[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] === '"') {
      const end = closing(text, at);
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && text[at] !== separator) {
        throw new BadRow(
          `must have a ${briefly(separator)} after a closing quote, got ${briefly(text.slice(at, at + 20))}`,
        );
      }
    } else {
      const found = text.indexOf(separator, at);
      const cell = text.slice(at, found < 0 ? undefined : found);
      cells.push(absent.includes(cell) ? null : cell);
      at = found < 0 ? text.length : found;
    }
    at++;
  }
  return cells;
}

/** Where the quote ends that begins here; two in a row stand for one. */
function closing(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  throw new BadRow(`has a quote (") that is opened and never closed: ${briefly(text.slice(from, from + 60))}`);
}
