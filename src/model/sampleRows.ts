/** Some rows, spread over all: one from each stretch, drawn, since rows may come in turns. */

import { type Data, inMemory, rowsAtOnce } from "../data/data.ts";
import { Random } from "../tensor/random.ts";
import { sizeOf, takeRows, tensor } from "../tensor/tensor.ts";

export interface Sampled {
  readonly data: Data;
  /** Where they are among all. */
  readonly rows: Int32Array;
}

export async function sampleRows(data: Data, most: number, seed: number): Promise<Sampled> {
  const rows = spreadRows(data.count, most, seed);
  return { rows, data: await rowsIn(data, rows) };
}

/** Which rows these are: all, where there are no more than `most`. */
export function spreadRows(rows: number, most: number, seed: number): Int32Array {
  if (rows <= most) return Int32Array.from({ length: rows }, (_, i) => i);
  const drawn = Random.seeded(seed).fork("sample").uniforms(most);
  const stretch = rows / most;
  return Int32Array.from(drawn, (within, i) => Math.floor((i + within) * stretch));
}

/** Rows whose numbers rise, as data of their own. */
export async function rowsIn(data: Data, rows: Int32Array): Promise<Data> {
  const count = rows.length;
  if (data.tensor) return count === data.count ? data : inMemory(takeRows(data.tensor, rows));
  const width = sizeOf(data.row);
  const all = new Float32Array(count * width);
  let [first, taken] = [0, 0];
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    const n = x.shape[0]!;
    for (; taken < count && rows[taken]! < first + n; taken++) {
      const at = (rows[taken]! - first) * width;
      all.set(x.data.subarray(at, at + width), taken * width);
    }
    first += n;
  }
  return inMemory(tensor("float32", [count, ...data.row], all));
}
