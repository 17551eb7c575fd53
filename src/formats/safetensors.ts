/**
 * The safetensors format, read and written: named tensors in one file.
 *
 *   8 bytes      length of the header, little-endian
 *   header       JSON: {"__metadata__": {…}, "name": {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]}, …}
 *   data         the tensors' elements, little-endian, one after the other without gaps
 */

import { allocate, type DType, sizeOf, type Tensor } from "../tensor/tensor.ts";
import { asBytes, tensorOfBytes } from "./bytes.ts";
import { parseJson } from "./json.ts";

/** In bytes: what the format allows. */
const longestHeader = 100_000_000;

/**
 * The format's name of each element type, in the order in which their tensors are written: wide ones first, so that all
 * are aligned.
 */
const names: { [D in DType]: string } = {
  int64: "I64",
  float64: "F64",
  float32: "F32",
  int32: "I32",
  uint8: "U8",
  bool: "BOOL",
};
const writingOrder = Object.keys(names) as DType[];

/** The header's entry that is not a tensor. */
const metadataName = "__metadata__";

export interface Safetensors {
  tensors: Map<string, Tensor>;
  metadata: Record<string, string>;
}

/** Where a tensor lies in the data, as the header says. */
interface Place {
  name: string;
  dtype: DType;
  shape: readonly number[];
  start: number;
  end: number;
}

/** The bytes of a safetensors file: the same for the same tensors, in whatever order they come. */
export function encodeSafetensors(
  tensors: ReadonlyMap<string, Tensor>,
  metadata: Record<string, string> = {},
): Uint8Array {
  if (tensors.has(metadataName)) {
    throw new RangeError(`safetensors: no tensor can be named ${metadataName}, which the format keeps for itself`);
  }
  const sorted = [...tensors].sort(
    ([a, { dtype: typeA }], [b, { dtype: typeB }]) =>
      writingOrder.indexOf(typeA) - writingOrder.indexOf(typeB) || (a < b ? -1 : 1),
  );
  let size = 0;
  const entries = sorted.map(([name, { dtype, shape, data }]) => {
    const start = size;
    size += data.byteLength;
    return `${JSON.stringify(name)}:${JSON.stringify({ dtype: names[dtype], shape, data_offsets: [start, size] })}`;
  });
  if (Object.keys(metadata).length > 0) entries.unshift(`"${metadataName}":${JSON.stringify(metadata)}`);

  const header = new TextEncoder().encode(`{${entries.join()}}`);
  const begin = 8 + Math.ceil(header.length / 8) * 8;
  const file = new Uint8Array(begin + size);
  new DataView(file.buffer).setBigUint64(0, BigInt(begin - 8), true);
  file.set(header, 8);
  file.fill(" ".charCodeAt(0), 8 + header.length, begin);
  let position = begin;
  for (const [, { data }] of sorted) {
    file.set(asBytes(data), position);
    position += data.byteLength;
  }
  return file;
}

/** Reads a safetensors file given as bytes. The tensors are copies. */
export function decodeSafetensors(bytes: Uint8Array): Safetensors {
  const { header, data } = split(bytes);
  const { [metadataName]: metadata = {}, ...described } = header;
  if (!isObject(metadata) || !Object.values(metadata).every((value) => typeof value === "string")) {
    throw new TypeError(`safetensors: ${metadataName} must hold texts by name, got ${show(metadata)}`);
  }
  const places = Object.entries(described).map(([name, entry]) => placeOf(name, entry));
  // Before anything is allocated: once the places cover the data exactly, they need no more memory than the file.
  requireCovered(places, data.length);
  const tensors = new Map(places.map((place) => [place.name, copyOf(place, data)]));
  return { tensors, metadata: metadata as Record<string, string> };
}

function split(bytes: Uint8Array): { header: Record<string, unknown>; data: Uint8Array } {
  if (bytes.length < 8) {
    throw new RangeError(`safetensors: a file has 8 bytes or more, this one is cut short after ${bytes.length}`);
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > bytes.length - 8) {
    throw new RangeError(
      `safetensors: the header should take ${length} bytes, the file has ${bytes.length - 8}: it is cut short, or no safetensors file`,
    );
  }
  if (length > longestHeader) {
    throw new RangeError(`safetensors: the header may take ${longestHeader} bytes, it takes ${length}`);
  }
  const end = 8 + Number(length);
  return { header: parse(bytes.subarray(8, end)), data: bytes.subarray(end) };
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new TypeError("safetensors: the header is not JSON", { cause });
  }
  if (!isObject(header)) throw new TypeError("safetensors: the header must be a JSON object");
  return header;
}

function placeOf(name: string, entry: unknown): Place {
  const where = `safetensors: ${show(name)}`;
  const { dtype: typeName, shape, data_offsets: offsets } = isObject(entry) ? entry : {};
  const dtype = writingOrder.find((candidate) => names[candidate] === typeName);
  if (!dtype) {
    throw new TypeError(`${where}: dtype must be one of ${Object.values(names).join(" ")}, got ${show(typeName)}`);
  }
  if (!areSizes(shape)) {
    throw new RangeError(`${where}: shape must be whole numbers from 0, got ${show(shape)}`);
  }
  if (!areSizes(offsets) || offsets.length !== 2 || offsets[0]! > offsets[1]!) {
    throw new RangeError(`${where}: data_offsets must be a start and an end, got ${show(offsets)}`);
  }
  const [start, end] = offsets as [number, number];
  const needed = sizeOf(shape) * allocate(dtype, 0).BYTES_PER_ELEMENT;
  if (end - start !== needed) {
    throw new RangeError(
      `${where}: shape [${shape}] of ${dtype} needs ${needed} bytes, data_offsets are ${end - start} apart`,
    );
  }
  return { name, dtype, shape, start, end };
}

/**
 * Sorts the places and requires that each starts where the one before ends, from the first byte of the data to its
 * last.
 */
function requireCovered(places: Place[], length: number): void {
  places.sort((a, b) => a.start - b.start || a.end - b.end);
  let covered = 0;
  for (const { name, start, end } of places) {
    if (start !== covered) {
      throw new RangeError(
        `safetensors: ${show(name)} must start at byte ${covered} of the data, where the one before it ends, got ${start}`,
      );
    }
    covered = end;
  }
  if (covered !== length) {
    throw new RangeError(`safetensors: the tensors need ${covered} bytes of data, the file has ${length}`);
  }
}

function copyOf({ name, dtype, shape, start, end }: Place, bytes: Uint8Array): Tensor {
  const elements = bytes.subarray(start, end);
  if (dtype === "bool" && elements.some((value) => value > 1)) {
    throw new RangeError(`safetensors: ${show(name)}: booleans must be bytes 0 or 1, got others`);
  }
  return tensorOfBytes(dtype, shape, elements);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function areSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

/** A value of the header in an error: it may be missing, or as long as the file. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
