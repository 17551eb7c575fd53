/** What rows give to their neighbours, passed on from one to the next. */

import { neighbours as nearestRows } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { PerRow } from "./method.ts";

/** Spreads the values of rows over the nearest of their codes, in place. */
export async function spreadToNeighbours(
  values: Tensor<"float32">,
  codes: Tensor<"float32">,
  { neighbours, rounds }: NonNullable<PerRow["spread"]>,
  pace: Pace,
): Promise<void> {
  const { rows } = await nearestRows(codes, neighbours, pace);
  for (let round = 0; round < rounds; round++) {
    await pace();
    spreadOver(values, rows, 1);
  }
}

/** Each row of the values becomes the mean of its neighbours' rows, so many times over, in place. */
export function spreadOver({ data, shape }: Tensor<"float32">, found: Int32Array, rounds: number): void {
  const [n, width] = shape as [number, number];
  const count = found.length / n;
  for (let round = 0; round < rounds; round++) {
    const before = data.slice();
    data.fill(0);
    found.forEach((other, at) => {
      if (other < 0) return;
      const to = Math.floor(at / count) * width;
      for (let c = 0; c < width; c++) data[to + c]! += before[other * width + c]! / count;
    });
    balance(data, n, width);
  }
}

/** Columns to the same sum, then rows to 1: no cluster grows by being spread alone. */
function balance(data: Float32Array, n: number, width: number): void {
  const columns = new Float64Array(width);
  data.forEach((value, at) => {
    columns[at % width]! += value;
  });
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (let c = 0; c < width; c++) {
      const value = columns[c]! > 0 ? data[i * width + c]! / columns[c]! : 0;
      data[i * width + c] = value;
      total += value;
    }
    for (let c = 0; c < width; c++) data[i * width + c] = total > 0 ? data[i * width + c]! / total : 1 / width;
  }
}
