/**
 * Rows between two clusters. A row's numbers differ in their last bits with the rows beside it, since sums are then
 * made in another order, and where two clusters are equally near that decides the label. Such rows are asked for alone,
 * which is the same sum each time: so a label does not depend on the rows beside it.
 */

import type { Values } from "../runtime/session.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

/** Ten times what sums in another order were seen to differ by: up to 1e-6 of what is summed, on 1 to 5 threads. */
export const nearlyEqual = 1e-5;

/** The places of rows whose two smallest distances differ by at most 1e-5 (maxⱼ|dⱼ| + ‖z‖²). */
export function nearTies({ distances, z }: Values): number[] {
  const [n, k] = distances!.shape as [number, number];
  const [d, codes] = [distances!.data as Float32Array, z!.data as Float32Array];
  const width = codes.length / n;
  const found: number[] = [];
  for (let i = 0; i < n; i++) {
    let [first, second, largest, square] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
    for (let at = i * k; at < (i + 1) * k; at++) {
      const distance = d[at]!;
      if (distance < first) [first, second] = [distance, first];
      else if (distance < second) second = distance;
      largest = Math.max(largest, Math.abs(distance));
    }
    if (!(second - first <= nearlyEqual * largest)) {
      for (let at = i * width; at < (i + 1) * width; at++) square += codes[at]! ** 2;
      if (!(second - first <= nearlyEqual * (largest + square))) continue;
    }
    found.push(i);
  }
  return found;
}

/** What a program says of rows x, [n, …]; where it says another label of a row alone, then that. */
export async function withTiesAlone(
  x: Tensor<"float32">,
  values: Values,
  run: (row: Tensor<"float32">) => Promise<Values>,
): Promise<Values> {
  if (x.shape[0] === 1) return values;
  for (const i of nearTies(values)) {
    const alone = await run(rowOf(x, i));
    if (Number(alone.label!.data[0]) === Number(values.label!.data[i])) continue;
    for (const [name, value] of Object.entries(alone)) {
      (values[name]!.data as Float32Array).set(value.data as Float32Array, i * value.data.length);
    }
  }
  return values;
}

/** Row i of x, as a batch of one. */
export function rowOf(x: Tensor<"float32">, i: number): Tensor<"float32"> {
  const row = x.shape.slice(1);
  const size = sizeOf(row);
  return tensor("float32", [1, ...row], x.data.slice(i * size, (i + 1) * size));
}
