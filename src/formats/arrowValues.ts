/** The values of Arrow's columns as JSON, row by row. */

import type { ArrowBatch, ArrowField, ArrowKind } from "./arrow.ts";

/** The value in a row, as JSON. */
export type JsonOf = (row: number) => string;
export type Dictionaries = ReadonlyMap<number, { readonly length: number; readonly json: JsonOf }>;

/** The next stretch of bytes of a batch, unpacked. */
type Take = () => Uint8Array;

interface Reading {
  readonly take: Take;
  /** How many rows the next column has. */
  readonly rows: () => number;
  /** How many more stretches the next column of views has. */
  readonly views: () => number;
  readonly dictionaries: Dictionaries;
}

/** A function for each column; `bytes` gives a stretch of the body, unpacked. */
export function columnsOf(
  fields: readonly ArrowField[],
  { nodes, stretches, views, length }: ArrowBatch,
  bytes: (offset: number, length: number) => Uint8Array,
  dictionaries: Dictionaries,
): JsonOf[] {
  const next = <T>(values: readonly T[]): (() => T) => {
    let at = 0;
    return () => {
      if (at >= values.length) throw damaged();
      return values[at++]!;
    };
  };
  const stretch = next(stretches);
  const reading = { take: () => bytes(...stretch()), rows: next(nodes), views: next(views), dictionaries };
  return fields.map((field) => {
    const column = columnOf(field, reading);
    if (column.length < length) throw damaged();
    return column.json;
  });
}

interface Column {
  readonly length: number;
  readonly json: JsonOf;
}

function columnOf(field: ArrowField, reading: Reading): Column {
  const length = reading.rows();
  const type = field.dictionary?.index ?? field.type;
  if (type.kind === "other") return passedOver(type, field, length, reading);
  const isThere = validity(reading.take(), length);
  const json = field.dictionary
    ? fromDictionary(field.dictionary.id, type, length, reading)
    : valuesOf(type, field, length, reading);
  return { length, json: (row) => (isThere(row) ? json(row) : "null") };
}

/** What is not read is missing. */
function passedOver(
  { stretches, isView }: ArrowKind & { kind: "other" },
  field: ArrowField,
  length: number,
  reading: Reading,
): Column {
  for (let i = stretches + (isView ? reading.views() : 0); i > 0; i--) reading.take();
  if (!field.dictionary) for (const child of field.children) columnOf(child, reading);
  return { length, json: () => "null" };
}

/** A bit for each row; without any, all are there. */
function validity(bits: Uint8Array, length: number): (row: number) => boolean {
  if (bits.length === 0) return () => true;
  need(bits, Math.ceil(length / 8));
  return (row) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1;
}

function fromDictionary(id: number, type: ArrowKind, length: number, reading: Reading): JsonOf {
  const place = numbersOf(type, length, reading.take());
  const dictionary = reading.dictionaries.get(id);
  return (row) => {
    const at = Number(place(row));
    return dictionary && at >= 0 && at < dictionary.length ? dictionary.json(at) : "null";
  };
}

function valuesOf(type: ArrowKind, field: ArrowField, length: number, reading: Reading): JsonOf {
  switch (type.kind) {
    case "boolean": {
      const isTrue = validity(atLeast(reading.take(), Math.ceil(length / 8)), length);
      return (row) => String(length > 0 && isTrue(row));
    }
    case "text":
      return textsOf(offsetsOf(type.isLarge, length, reading.take()), reading.take());
    case "list":
      return listsOf(offsetsOf(type.isLarge, length, reading.take()), onlyChild(field, reading));
    case "vector": {
      const inner = onlyChild(field, reading);
      if (inner.length < length * type.length) throw damaged();
      return (row) => listed(inner.json, row * type.length, (row + 1) * type.length);
    }
    case "struct": {
      const inner = field.children.map((child) => columnOf(child, reading));
      if (inner.some((column) => column.length < length)) throw damaged();
      const names = field.children.map(({ name }) => JSON.stringify(name));
      return (row) => `{${inner.map(({ json }, i) => `${names[i]}:${json(row)}`).join(",")}}`;
    }
    case "date": {
      const time = numbersOf({ kind: "integer", bits: type.bits, isSigned: true }, length, reading.take());
      return (row) => dayJson((Number(time(row)) / type.perDay) * 86_400_000);
    }
    case "decimal":
      return decimalsOf(type, length, reading.take());
    default: {
      const number = numbersOf(type, length, reading.take());
      return type.kind === "float" && type.bits < 64
        ? (row) => shortJson(number(row) as number)
        : (row) => json(number(row));
    }
  }
}

function onlyChild({ children }: ArrowField, reading: Reading): Column {
  if (children.length !== 1) throw damaged();
  return columnOf(children[0]!, reading);
}

function textsOf(place: (row: number) => number, bytes: Uint8Array): JsonOf {
  const decoder = new TextDecoder();
  return (row) => JSON.stringify(decoder.decode(bytes.subarray(place(row), checkedEnd(place, row, bytes.length))));
}

function listsOf(place: (row: number) => number, { json, length }: Column): JsonOf {
  return (row) => listed(json, place(row), checkedEnd(place, row, length));
}

/** More values in a row than this are no vector. */
const longestList = 2 ** 20;

function listed(json: JsonOf, from: number, to: number): string {
  if (to - from > longestList) throw new RangeError(`a list can have up to ${longestList} values, one has more`);
  const values: string[] = [];
  for (let i = from; i < to; i++) values.push(json(i));
  return `[${values.join(",")}]`;
}

/** Where each row begins; one more says where the last ends. */
function offsetsOf(isLarge: boolean, length: number, bytes: Uint8Array): (row: number) => number {
  if (length === 0) return () => 0;
  const place = numbersOf({ kind: "integer", bits: isLarge ? 64 : 32, isSigned: true }, length + 1, bytes);
  return (row) => Number(place(row));
}

/** Rows lie one after the other, inside of what there is. */
function checkedEnd(place: (row: number) => number, row: number, length: number): number {
  const [start, end] = [place(row), place(row + 1)];
  if (start >= 0 && start <= end && end <= length) return end;
  throw damaged();
}

const arrays = {
  integer: { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array },
  unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array },
  float: { 32: Float32Array, 64: Float64Array },
};

/** A copy, since a file may begin a number at any byte, and memory may not. */
function numbersOf(type: ArrowKind, length: number, bytes: Uint8Array): (row: number) => number | bigint {
  if (type.kind === "float" && type.bits === 16) {
    const halves = new Uint16Array(atLeast(bytes, 2 * length).slice(0, 2 * length).buffer);
    return (row) => halfOf(halves[row]!);
  }
  if (type.kind !== "integer" && type.kind !== "float") throw damaged();
  const Typed =
    type.kind === "float"
      ? arrays.float[type.bits as 32 | 64]
      : (type.isSigned ? arrays.integer : arrays.unsigned)[type.bits];
  const size = (length * type.bits) / 8;
  const values = new Typed(atLeast(bytes, size).slice(0, size).buffer);
  return (row) => values[row]!;
}

/** A float of 16 bits. */
function halfOf(bits: number): number {
  const [sign, power, part] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (power === 0) return sign * part * 2 ** -24;
  if (power === 31) return part ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + part / 1024) * 2 ** (power - 15);
}

/** What JSON has no word for is written as DuckDB reads it; no number is a missing one. */
function json(value: number | bigint): string {
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "null" : JSON.stringify(String(value));
}

/** As many digits as a float has. */
function shortJson(value: number): string {
  return Number.isInteger(value) || !Number.isFinite(value) ? json(value) : value.toPrecision(9);
}

/** A whole number of several words, the smallest first, with so many decimals. */
function decimalsOf(
  { bytes: width, scale }: ArrowKind & { kind: "decimal" },
  length: number,
  bytes: Uint8Array,
): JsonOf {
  if (![4, 8, 16, 32].includes(width)) throw damaged();
  atLeast(bytes, width * length);
  return (row) => {
    let value = 0n;
    for (let i = width - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[row * width + i]!);
    return json(Number(BigInt.asIntN(8 * width, value)) / 10 ** scale);
  };
}

function dayJson(milliseconds: number): string {
  const day = new Date(milliseconds);
  if (!(day.getUTCFullYear() >= 1 && day.getUTCFullYear() <= 9999)) return "null";
  return JSON.stringify(day.toISOString().replace("T", " ").replace("Z", ""));
}

function atLeast(bytes: Uint8Array, length: number): Uint8Array {
  need(bytes, length);
  return bytes;
}

function need(bytes: Uint8Array, length: number): void {
  if (!(length <= bytes.length)) throw damaged();
}

function damaged(): RangeError {
  return new RangeError("a column has other bytes than its description says; it is damaged");
}
