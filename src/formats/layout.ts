/** How the elements of an array lie in a file, so that some of them can be read without the rest. */

import { type ArrayOf, type DType, sizeOf } from "../tensor/tensor.ts";

export interface Layout {
  readonly shape: readonly number[];
  /** Where the elements begin, and how many bytes each has. */
  readonly start: number;
  readonly bytes: number;
  /** Whether the last index runs fastest; in Fortran's order it is the first. */
  readonly rowMajor: boolean;
  /** Some elements, one after the other, as they are. */
  elements(bytes: Uint8Array): ArrayOf[DType];
  /** The same as numbers. */
  numbers(bytes: Uint8Array): Float32Array;
}

/**
 * That a file of `size` bytes has all elements and no more. Checked before allocating, so that a header with a huge
 * shape costs nothing.
 */
export function checkSize(format: string, { shape, start, bytes }: Layout, size: number): void {
  const needed = sizeOf(shape) * bytes;
  if (size - start !== needed) {
    throw new RangeError(`${format}: shape [${shape}] needs ${needed} bytes of data, the file has ${size - start}`);
  }
}
