/** The IDX format of MNIST's files: 0 0 type axes, the size of each axis, the elements; all big-endian. */

import { sizeOf, type Tensor, tensor } from "../../tensor/tensor.ts";

const types: Readonly<Record<number, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  9: { bytes: 1, read: (view, at) => view.getInt8(at) },
  11: { bytes: 2, read: (view, at) => view.getInt16(at) },
  12: { bytes: 4, read: (view, at) => view.getInt32(at) },
  13: { bytes: 4, read: (view, at) => view.getFloat32(at) },
  14: { bytes: 8, read: (view, at) => view.getFloat64(at) },
};

export function decodeIdx(bytes: Uint8Array): Tensor<"float32"> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0) throw new TypeError("idx: the file does not start like an IDX file");
  const type = types[bytes[2]!];
  if (!type)
    throw new TypeError(`idx: the element type must be one of ${Object.keys(types).join(" ")}, got ${bytes[2]}`);
  const start = 4 + 4 * bytes[3]!;
  if (bytes.length < start) throw new RangeError("idx: the file is cut short in its header");
  const shape = Array.from({ length: bytes[3]! }, (_, axis) => view.getUint32(4 + 4 * axis));
  const needed = sizeOf(shape) * type.bytes;
  // Checked before allocating, so that a header with a huge shape costs nothing.
  if (needed !== bytes.length - start) {
    throw new RangeError(`idx: shape [${shape}] needs ${needed} bytes of data, the file has ${bytes.length - start}`);
  }
  const data = new Float32Array(sizeOf(shape));
  for (let i = 0; i < data.length; i++) data[i] = type.read(view, start + i * type.bytes);
  return tensor("float32", shape, data);
}
