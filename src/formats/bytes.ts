/** Bytes as text and as numbers, and back: what the formats share. */

import { type ArrayOf, allocate, type DType, sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

/** The bytes of numbers, in place. */
export function asBytes({ buffer, byteOffset, byteLength }: ArrayOf[DType]): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * A tensor of the numbers that little-endian bytes are: a copy, since a file may begin a number at any byte, and memory
 * may not.
 */
export function tensorOfBytes<D extends DType>(dtype: D, shape: readonly number[], bytes: Uint8Array): Tensor<D> {
  const data = allocate(dtype, sizeOf(shape));
  asBytes(data).set(bytes);
  return tensor(dtype, shape, data);
}

/** Each byte is a character, and each character below U+0100 a byte. */
export function latin1Text(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** One after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether a file that begins so is packed with gzip. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}
