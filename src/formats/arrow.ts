/**
 * Arrow's format for files and streams (Feather is one): a schema, then batches of columns, each a few stretches of
 * bytes. Whatever a stretch is said to hold is compared with its length before it is read.
 */

import { FlatTable } from "./flatbuffer.ts";

export type ArrowKind =
  | { readonly kind: "integer"; readonly bits: 8 | 16 | 32 | 64; readonly isSigned: boolean }
  | { readonly kind: "float"; readonly bits: 16 | 32 | 64 }
  | { readonly kind: "decimal"; readonly bytes: number; readonly scale: number }
  | { readonly kind: "text"; readonly isLarge: boolean }
  | { readonly kind: "boolean" }
  /** So many of them make a day. */
  | { readonly kind: "date"; readonly bits: 32 | 64; readonly perDay: number }
  | { readonly kind: "list"; readonly isLarge: boolean }
  | { readonly kind: "vector"; readonly length: number }
  | { readonly kind: "struct" }
  /** Not read: so many stretches of bytes are passed over, or one more for each that a batch counts. */
  | { readonly kind: "other"; readonly stretches: number; readonly isView?: boolean };

export interface ArrowField {
  readonly name: string;
  readonly type: ArrowKind;
  readonly children: readonly ArrowField[];
  /** Where values are kept once for all rows: by which dictionary, and how its numbers are written. */
  readonly dictionary?: { readonly id: number; readonly index: ArrowKind };
}

export interface ArrowBatch {
  readonly length: number;
  /** Rows of each column, and of those inside them. */
  readonly nodes: readonly number[];
  /** Where each stretch of bytes is in the body, and how long. */
  readonly stretches: readonly (readonly [offset: number, length: number])[];
  /** Of columns that are views, how many more stretches each has. */
  readonly views: readonly number[];
  readonly codec?: "lz4" | "zstd";
}

export type ArrowMessage = { readonly bodyLength: number } & (
  | { readonly kind: "schema"; readonly fields: readonly ArrowField[] }
  | { readonly kind: "rows"; readonly batch: ArrowBatch }
  | { readonly kind: "dictionary"; readonly id: number; readonly isDelta: boolean; readonly batch: ArrowBatch }
  | { readonly kind: "other" }
);

/** Columns, those inside columns counted as well; and how deep they may be inside each other. */
const mostFields = 2 ** 16;
const deepest = 64;

/** What stands before each body. */
export function arrowMessage(bytes: Uint8Array): ArrowMessage {
  const message = FlatTable.root(bytes);
  const [kind, header, bodyLength] = [message.byte(1), message.table(2), message.long(3)];
  if (bodyLength < 0) throw new RangeError("its description is damaged");
  if (!header) return { kind: "other", bodyLength };
  if (kind === 1) {
    if (header.short(0) !== 0) throw new RangeError("Arrow with its largest bytes first is not read");
    const counted = { left: mostFields };
    return { kind: "schema", fields: [...header.tables(1)].map((field) => fieldOf(field, counted, 0)), bodyLength };
  }
  if (kind === 2) {
    const data = header.table(1);
    if (!data) throw new RangeError("a dictionary has no values");
    return { kind: "dictionary", id: header.long(0), isDelta: header.byte(2) !== 0, batch: batchOf(data), bodyLength };
  }
  return kind === 3 ? { kind: "rows", batch: batchOf(header), bodyLength } : { kind: "other", bodyLength };
}

function fieldOf(field: FlatTable, counted: { left: number }, depth: number): ArrowField {
  if (depth > deepest) throw new RangeError(`columns must not be nested deeper than ${deepest} values; is it a table?`);
  if (--counted.left < 0) throw new RangeError(`there can be up to ${mostFields} columns, it has more`);
  const dictionary = field.table(4);
  const index = dictionary?.table(1);
  return {
    name: field.text(0),
    type: typeOf(field.byte(2), field.table(3)),
    children: Array.from(field.tables(5), (child) => fieldOf(child, counted, depth + 1)),
    ...(dictionary && {
      dictionary: { id: dictionary.long(0), index: index ? typeOf(2, index) : typeOf(2, undefined) },
    }),
  };
}

/** Seconds, and what parts of them a day has. */
const perDay = [1, 1e3, 1e6, 1e9].map((parts) => 86_400 * parts);

/** By their numbers in Arrow's own schema. */
function typeOf(number: number, type: FlatTable | undefined): ArrowKind {
  switch (number) {
    case 2:
      return integer(type?.int(0) ?? 32, type ? type.byte(1) !== 0 : true);
    case 3:
      return { kind: "float", bits: ([16, 32, 64] as const)[type?.short(0) ?? 0] ?? 64 };
    case 5:
    case 20:
      return { kind: "text", isLarge: number === 20 };
    case 6:
      return { kind: "boolean" };
    case 7:
      return { kind: "decimal", bytes: (type?.int(2, 128) ?? 128) / 8, scale: type?.int(1) ?? 0 };
    case 8: {
      const isDays = type?.short(0, 1) === 0;
      return { kind: "date", bits: isDays ? 32 : 64, perDay: isDays ? 1 : perDay[1]! };
    }
    case 10:
      return { kind: "date", bits: 64, perDay: perDay[type?.short(0) ?? 0] ?? 1 };
    case 12:
    case 21:
      return { kind: "list", isLarge: number === 21 };
    case 13:
      return { kind: "struct" };
    case 16:
      return { kind: "vector", length: Math.max(0, type?.int(0) ?? 0) };
    default:
      return others(number, type);
  }
}

function integer(bits: number, isSigned: boolean): ArrowKind {
  if (bits === 8 || bits === 16 || bits === 32 || bits === 64) return { kind: "integer", bits, isSigned };
  throw new RangeError(`whole numbers have 8, 16, 32 or 64 bits, got ${bits}`);
}

/** Nothing, and runs: no bytes of their own. Unions: their types, and where. Bytes: like texts. Times: like numbers. */
function others(number: number, type: FlatTable | undefined): ArrowKind {
  const stretches: Readonly<Record<number, number>> = {
    ...{ 1: 0, 22: 0, 4: 3, 19: 3, 9: 2, 11: 2, 15: 2, 17: 2, 18: 2, 25: 3, 26: 3, 23: 2, 24: 2 },
    14: type?.short(0) === 1 ? 2 : 1,
  };
  const found = stretches[number];
  if (found === undefined) throw new RangeError(`a column has a type that is not known here (${number})`);
  return { kind: "other", stretches: found, ...((number === 23 || number === 24) && { isView: true }) };
}

function batchOf(batch: FlatTable): ArrowBatch {
  const compression = batch.table(3);
  const length = batch.long(0);
  const nodes = batch.longs(1, 2).map(([rows]) => rows!);
  const stretches = batch.longs(2, 2).map(([offset, size]) => [offset!, size!] as const);
  const views = batch.longs(4, 1).map(([count]) => count!);
  if ([length, ...nodes, ...views, ...stretches.flat()].some((value) => value < 0)) {
    throw new RangeError("its description is damaged");
  }
  return { length, nodes, stretches, views, ...(compression && { codec: compression.byte(0) === 1 ? "zstd" : "lz4" }) };
}
