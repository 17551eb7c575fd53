/** Leaving out rows in which a value is missing, where no query can do it. */

import type { RowSource } from "./keepRows.ts";
import { notFinite } from "./survey.ts";

/** The rows in which nothing is missing, under new numbers; `kept` has the old ones. */
export async function dropIncomplete(
  source: RowSource,
  signal?: AbortSignal,
): Promise<RowSource & { readonly kept: Int32Array }> {
  const { where, names, count } = source;
  const width = names.length;
  const kept: number[] = [];
  for await (const { rows, x } of source.pieces()) {
    signal?.throwIfAborted();
    rows.forEach((row, i) => {
      const numbers = x.subarray(i * width, (i + 1) * width);
      if (numbers.some(Number.isNaN)) return;
      const wrong = numbers.findIndex((value) => !Number.isFinite(value));
      if (wrong >= 0) throw notFinite(where, { row, column: names[wrong]! }, numbers[wrong]!);
      kept.push(row);
    });
  }
  if (kept.length === 0) throw new RangeError(`${where}: every one of its ${count} rows has a missing value`);
  const { read: _, ...rest } = source;
  return {
    ...rest,
    kept: Int32Array.from(kept),
    count: kept.length,
    async *pieces() {
      let first = 0;
      for await (const { rows, x } of source.pieces()) {
        const last = rows.at(-1)!;
        let n = 0;
        while (first + n < kept.length && kept[first + n]! <= last) n++;
        const complete = new Float32Array(n * width);
        for (let i = 0; i < n; i++) {
          const at = (kept[first + i]! - rows[0]!) * width;
          complete.set(x.subarray(at, at + width), i * width);
        }
        yield { rows: Int32Array.from({ length: n }, (_, i) => first + i), x: complete };
        first += n;
      }
    },
  };
}

/** The numbers that are not among those, from 0 to `all`. */
export function leftOut(numbers: Int32Array, all: number): Int32Array {
  const rows = new Int32Array(all - numbers.length);
  let [at, next] = [0, 0];
  for (let row = 0; row < all; row++) {
    if (numbers[next] === row) next++;
    else rows[at++] = row;
  }
  return rows;
}
