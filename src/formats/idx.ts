/** The IDX format of MNIST's files: 0 0 type axes, the size of each axis, the elements; all big-endian. */

import type { Layout } from "./layout.ts";

const types: Readonly<Record<number, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  9: { bytes: 1, read: (view, at) => view.getInt8(at) },
  11: { bytes: 2, read: (view, at) => view.getInt16(at) },
  12: { bytes: 4, read: (view, at) => view.getInt32(at) },
  13: { bytes: 4, read: (view, at) => view.getFloat32(at) },
  14: { bytes: 8, read: (view, at) => view.getFloat64(at) },
};

/** What the header says; `head` is the file's beginning, which may end anywhere behind the header. */
export function idxLayout(head: Uint8Array): Layout {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 4 || view.getUint16(0) !== 0) throw new TypeError("idx: the file does not start like an IDX file");
  const type = types[head[2]!];
  if (!type)
    throw new TypeError(`idx: the element type must be one of ${Object.keys(types).join(" ")}, got ${head[2]}`);
  const start = 4 + 4 * head[3]!;
  if (head.length < start) throw new RangeError("idx: the file is cut short in its header");
  const shape = Array.from({ length: head[3]! }, (_, axis) => view.getUint32(4 + 4 * axis));
  const numbers = (bytes: Uint8Array): Float32Array => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const data = new Float32Array(bytes.length / type.bytes);
    for (let i = 0; i < data.length; i++) data[i] = type.read(view, i * type.bytes);
    return data;
  };
  return { shape, start, bytes: type.bytes, rowMajor: true, elements: numbers, numbers };
}
