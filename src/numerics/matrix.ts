/** Products of matrices in plain numbers; where they are large, somebody with an engine may stand in. */

import { type Tensor, tensor } from "../tensor/tensor.ts";
import type { Pace } from "./pace.ts";

/** [m, k]·[k, n] = [m, n]. */
export type Multiply = (a: Tensor<"float32">, b: Tensor<"float32">) => Promise<Tensor<"float32">>;

/** So many multiplications are one piece of work. */
const piece = 2 ** 22;

/** The product here, each sum in float64. */
export function plainMultiply(pace: Pace): Multiply {
  return async (a, b) => {
    const [m, k] = a.shape as [number, number];
    const n = b.shape[1]!;
    if (b.shape[0] !== k) throw new RangeError(`multiply: inner sizes differ, got [${a.shape}] and [${b.shape}]`);
    const out = new Float32Array(m * n);
    const sums = new Float64Array(n);
    const rows = Math.max(1, Math.floor(piece / (k * n)));
    for (let i = 0; i < m; i++) {
      if (i % rows === 0) await pace();
      sums.fill(0);
      for (let c = 0; c < k; c++) {
        const factor = a.data[i * k + c]!;
        if (factor === 0) continue;
        for (let j = 0, at = c * n; j < n; j++, at++) sums[j]! += factor * b.data[at]!;
      }
      out.set(sums, i * n);
    }
    return tensor("float32", [m, n], out);
  };
}

/** Aᵀ. */
export function transposed({ data, shape }: Tensor<"float32">): Tensor<"float32"> {
  const [m, n] = shape as [number, number];
  const out = new Float32Array(m * n);
  // In squares, so that both are read and written line by line.
  const side = 32;
  for (let top = 0; top < m; top += side) {
    for (let left = 0; left < n; left += side) {
      const [bottom, right] = [Math.min(m, top + side), Math.min(n, left + side)];
      for (let i = top; i < bottom; i++) for (let j = left; j < right; j++) out[j * m + i] = data[i * n + j]!;
    }
  }
  return tensor("float32", [n, m], out);
}

/** AᵀA of rows [n, d], in float64. */
export async function innerProducts({ data, shape }: Tensor<"float32">, pace: Pace): Promise<Float64Array> {
  const [n, d] = shape as [number, number];
  const out = new Float64Array(d * d);
  const rows = Math.max(1, Math.floor(piece / (d * d)));
  const [x, y, z, w] = [new Float64Array(d), new Float64Array(d), new Float64Array(d), new Float64Array(d)];
  // Four rows at a time: the matrix is read and written a quarter as often.
  for (let i = 0; i < n; i += 4) {
    if (i % (4 * rows) === 0) await pace();
    [x, y, z, w].forEach((row, more) => {
      if (i + more < n) row.set(data.subarray((i + more) * d, (i + more + 1) * d));
      else row.fill(0);
    });
    for (let a = 0; a < d; a++) {
      const [xa, ya, za, wa] = [x[a]!, y[a]!, z[a]!, w[a]!];
      for (let b = 0, at = a * d; b <= a; b++, at++) out[at]! += xa * x[b]! + ya * y[b]! + za * z[b]! + wa * w[b]!;
    }
  }
  for (let a = 0; a < d; a++) for (let b = 0; b < a; b++) out[b * d + a] = out[a * d + b]!;
  return out;
}

/** A with row i multiplied by f(i). */
export function scaledRows({ data, shape }: Tensor<"float32">, f: (i: number) => number): Tensor<"float32"> {
  const n = shape[1]!;
  const out = data.slice();
  for (let i = 0; i < shape[0]!; i++) {
    const factor = f(i);
    for (let at = i * n; at < (i + 1) * n; at++) out[at]! *= factor;
  }
  return tensor("float32", shape, out);
}
