/** Which rows are equal, where few are different. */

import type { Tensor } from "../tensor/tensor.ts";

/**
 * A number for each row, the same for equal rows and counted from 0 by the first of them; nothing where more than
 * `most` are different. It then ends at the first row that is one too many.
 */
export function distinctRows({ data, shape }: Tensor<"float32">, most: number): Int32Array | undefined {
  const [n, d] = shape as [number, number];
  const labels = new Int32Array(n);
  /** The first rows of those that are equal, and which of them have the same hash. */
  const firsts: number[] = [];
  const byHash = new Map<number, number[]>();
  const value = new Float32Array(1);
  const bits = new Int32Array(value.buffer);
  for (let i = 0; i < n; i++) {
    let hash = 0;
    for (let c = 0; c < d; c++) {
      // −0 is 0.
      value[0] = data[i * d + c]! + 0;
      hash = (Math.imul(hash, 31) + bits[0]!) | 0;
    }
    const alike = byHash.get(hash) ?? [];
    const label = alike.find((label) => areEqual(data, i * d, firsts[label]! * d, d));
    if (label === undefined) {
      if (firsts.length === most) return undefined;
      labels[i] = firsts.length;
      byHash.set(hash, [...alike, firsts.length]);
      firsts.push(i);
    } else labels[i] = label;
  }
  return labels;
}

/** How many rows are different; nothing where more than `most` are. */
export function countDistinct(rows: Tensor<"float32">, most: number): number | undefined {
  return distinctRows(rows, most)?.reduce((count, number) => Math.max(count, number + 1), 0);
}

function areEqual(data: Float32Array, a: number, b: number, d: number): boolean {
  for (let c = 0; c < d; c++) if (data[a + c] !== data[b + c]) return false;
  return true;
}
