/** NumPy's .npy format, read and written; a gzipped file (.npy.gz) is recognized by its first bytes. */

import { checkMemory, memoryLimit } from "../tensor/budget.ts";
import { allocate, type DType, float32Of, fromNumbers, sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { asBytes, isGzip, joined, latin1Bytes, latin1Text, tensorOfBytes } from "./bytes.ts";
import { checkSize, type Layout } from "./layout.ts";

const magic = "\x93NUMPY";
/** In bytes: enough for any array of numbers. */
const longestHeader = 2 ** 20;

/** NumPy's name of each element type, little-endian. */
const descriptions: { [D in DType]: string } = {
  float32: "<f4",
  float64: "<f8",
  int64: "<i8",
  int32: "<i4",
  uint8: "|u1",
  bool: "|b1",
};

/** Element types that we have no tensor of, and the next wider one that we have. */
const widened: Readonly<Record<string, { dtype: DType; read: (bytes: Uint8Array) => ArrayLike<number> }>> = {
  "|i1": { dtype: "int32", read: (bytes) => new Int8Array(aligned(bytes)) },
  "<i2": { dtype: "int32", read: (bytes) => new Int16Array(aligned(bytes)) },
  "<u2": { dtype: "int32", read: (bytes) => new Uint16Array(aligned(bytes)) },
  "<u4": { dtype: "float64", read: (bytes) => new Uint32Array(aligned(bytes)) },
  "<f2": { dtype: "float32", read: (bytes) => halves(new Uint16Array(aligned(bytes))) },
};

/** Reads a .npy or .npy.gz file given as bytes. */
export async function decodeNpy(file: Uint8Array): Promise<Tensor> {
  return parse(isGzip(file) ? await unpacked(file) : file);
}

/** What the header promises, and little more: a small file may unpack to anything. */
async function unpacked(file: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let [length, most] = [0, Number.POSITIVE_INFINITY];
  for await (const part of unpackedParts(file)) {
    parts.push(part);
    length += part.length;
    if (most === Number.POSITIVE_INFINITY && length >= longestHeader) most = announced(joined(parts));
    if (length > most) break;
  }
  return joined(parts);
}

async function* unpackedParts(file: Uint8Array): AsyncGenerator<Uint8Array> {
  const packed = new Blob([file as Uint8Array<ArrayBuffer>]).stream();
  const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let read = await next(); !read.done; read = await next()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }

  function next() {
    return reader.read().catch((cause) => {
      throw new RangeError("npy: the gzip data is damaged or cut short", { cause });
    });
  }
}

/** How many bytes a file has that begins so, once that is known to fit into memory. */
function announced(head: Uint8Array): number {
  const { start, shape, bytes } = npyLayout(head);
  const length = start + sizeOf(shape) * bytes;
  // The pieces, the whole, and the elements.
  checkMemory({ where: "npy", what: `an array of shape [${shape}]`, bytes: 3 * length }, memoryLimit());
  return length;
}

/** The bytes of a .npy file. */
export function encodeNpy(t: Tensor): Uint8Array {
  return joined([npyHeader(t.dtype, t.shape), asBytes(t.data)]);
}

/** What stands before the elements, which follow in rows. */
export function npyHeader(dtype: DType, sizes: readonly number[]): Uint8Array {
  const shape = sizes.length === 1 ? `${sizes[0]},` : sizes.join(", ");
  const text = `{'descr': '${descriptions[dtype]}', 'fortran_order': False, 'shape': (${shape}), }`;
  // Magic (6), version (2), header length (2), then the header, padded so that the data starts at a multiple of 64.
  const padded = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11);
  const header = latin1Bytes(`${magic}\x01\x00\x00\x00${padded}\n`);
  new DataView(header.buffer).setUint16(8, padded.length + 1, true);
  return header;
}

/** The bytes of a .npy.gz file. */
export async function encodeNpyGz(t: Tensor): Promise<Uint8Array> {
  const packed = new Blob([encodeNpy(t) as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

interface NpyLayout extends Layout {
  readonly dtype: DType;
  readonly description: string;
}

/** What the header of a .npy file says; `head` is the file's beginning, which may end anywhere behind the header. */
export function npyLayout(head: Uint8Array): NpyLayout {
  if (latin1Text(head.subarray(0, 6)) !== magic) throw new TypeError("npy: the file does not start like a .npy file");
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 10) throw new RangeError("npy: the file is cut short in its header");
  const version = head[6]!;
  if (version < 1 || version > 3) throw new TypeError(`npy: the version must be 1, 2 or 3, got ${version}`);
  const wide = version >= 2;
  const begin = wide ? 12 : 10;
  if (head.length < begin) throw new RangeError("npy: the file is cut short in its header");
  const start = begin + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (start > longestHeader)
    throw new RangeError(`npy: the header must take ${longestHeader} bytes at most, got ${start}`);
  if (head.length < start) throw new RangeError("npy: the file is cut short in its header");
  const header = latin1Text(head.subarray(begin, start));

  const description = /'descr':\s*'([^']*)'/.exec(header)?.[1] ?? "none";
  const dtype =
    widened[description]?.dtype ?? (Object.keys(descriptions) as DType[]).find((d) => descriptions[d] === description);
  if (!dtype) {
    const known = [...Object.values(descriptions), ...Object.keys(widened)].join(" ");
    throw new TypeError(
      `npy: the element type must be one of ${known}, got ${description}; convert it with x.astype("float32")`,
    );
  }
  const sizes = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  if (sizes === undefined) throw new TypeError("npy: the header names no shape");
  const shape = sizes
    .split(",")
    .map((size) => size.trim())
    .filter((size) => size !== "")
    .map(Number);
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    throw new RangeError(`npy: sizes must be whole numbers from 0, got (${sizes})`);
  }
  const size = Number(description.slice(2));
  const some = (bytes: Uint8Array) => elementsOf(description, dtype, [bytes.length / size], bytes).data;
  const numbers = (bytes: Uint8Array): Float32Array => float32Of(some(bytes));
  const rowMajor = !/'fortran_order':\s*True/.test(header);
  return { shape, start, bytes: size, rowMajor, elements: some, numbers, dtype, description };
}

function parse(bytes: Uint8Array): Tensor {
  const layout = npyLayout(bytes);
  checkSize("npy", layout, bytes.length);
  const loaded = elementsOf(layout.description, layout.dtype, layout.shape, bytes.subarray(layout.start));
  return layout.rowMajor ? loaded : toRowMajor(loaded);
}

function elementsOf(description: string, dtype: DType, shape: readonly number[], bytes: Uint8Array): Tensor {
  const wider = widened[description];
  return wider ? fromNumbers(dtype, shape, wider.read(bytes)) : tensorOfBytes(dtype, shape, bytes);
}

/** Reorders data that was written with the first index running fastest. */
function toRowMajor<D extends DType>(t: Tensor<D>): Tensor<D> {
  const data = allocate(t.dtype, t.data.length);
  const index = t.shape.map(() => 0);
  for (let to = 0; to < data.length; to++) {
    let from = 0;
    for (let axis = t.shape.length - 1; axis >= 0; axis--) {
      from = from * t.shape[axis]! + index[axis]!;
    }
    data[to] = t.data[from] as (typeof data)[number];
    for (let axis = t.shape.length - 1; axis >= 0; axis--) {
      index[axis] = index[axis]! + 1;
      if (index[axis]! < t.shape[axis]!) break;
      index[axis] = 0;
    }
  }
  return tensor(t.dtype, t.shape, data);
}

/** A copy of bytes, which may then be read as numbers of any width. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}

function halves(bits: Uint16Array): Float32Array {
  const numbers = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) numbers[i] = halfToNumber(bits[i]!);
  return numbers;
}

/** An IEEE half: 1 sign, 5 exponent and 10 fraction bits. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
