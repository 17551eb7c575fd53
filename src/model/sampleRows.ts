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
  const count = Math.min(most, data.count);
  const random = Random.seeded(seed).fork("sample");
  const drawn = count === data.count ? undefined : random.uniforms(count);
  const stretch = data.count / count;
  const rows = Int32Array.from({ length: count }, (_, i) => (drawn ? Math.floor((i + drawn[i]!) * stretch) : i));
  if (data.tensor) return { rows, data: count === data.count ? data : inMemory(takeRows(data.tensor, rows)) };
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
  return { rows, data: inMemory(tensor("float32", [count, ...data.row], all)) };
}
