/** Leaving out rows in which a value is missing, where no query can do it. */

import type { RowSource } from "./held.ts";

/** The rows in which nothing is missing, under new numbers. */
export async function wholeRows(source: RowSource): Promise<RowSource & { readonly kept: Uint8Array }> {
  const width = source.names.length;
  const kept = new Uint8Array(source.count);
  for await (const { rows, x } of source.pieces()) {
    rows.forEach((row, i) => {
      kept[row] = x.subarray(i * width, (i + 1) * width).some(Number.isNaN) ? 0 : 1;
    });
  }
  const count = kept.reduce((sum, whole) => sum + whole, 0);
  if (count === 0) {
    throw new RangeError(`${source.where}: every one of its ${source.count} rows has a missing value`);
  }
  const { read: _, ...rest } = source;
  return {
    ...rest,
    kept,
    count,
    async *pieces() {
      let first = 0;
      for await (const { rows, x } of source.pieces()) {
        const whole = x.filter((_, i) => kept[rows[Math.floor(i / width)]!]);
        const n = whole.length / width;
        yield { rows: Int32Array.from({ length: n }, (_, i) => first + i), x: whole };
        first += n;
      }
    },
  };
}
