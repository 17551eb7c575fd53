/** Data of which some rows are never seen: the others keep their numbers. */

import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { type Batch, type Data, lazyBatch } from "./data.ts";

/** The data without these rows. Rows in memory stay there, all of them, so that a GPU finds each where it is. */
export function withoutRows(data: Data, isLeftOut: (row: number) => boolean): Data {
  const { row, range, tensor: all } = data;
  let count = 0;
  for (let i = 0; i < data.count; i++) if (!isLeftOut(i)) count++;
  return {
    ...{ row, range, count },
    ...(all && { tensor: all }),
    shuffled: (size, random) =>
      all
        ? picked(
            random.permutation(data.count).filter((each) => !isLeftOut(each)),
            size,
            all,
          )
        : refilled(data.shuffled(size, random), size, row, isLeftOut),
    inOrder: (size) => refilled(data.inOrder(size), size, row, isLeftOut),
  };
}

function* picked(order: Int32Array, size: number, all: Tensor<"float32">): Generator<Batch> {
  for (let at = 0; at < order.length; at += size) yield lazyBatch(order.slice(at, at + size), all);
}

/** Batches of `size` rows again, of what is left of others; only the last may have fewer. */
async function* refilled(
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  size: number,
  row: readonly number[],
  isLeftOut: (row: number) => boolean,
): AsyncGenerator<Batch> {
  const width = sizeOf(row);
  let [rows, x, n] = [new Int32Array(size), new Float32Array(size * width), 0];
  const taken = (): Batch => ({
    rows: rows.subarray(0, n),
    x: tensor("float32", [n, ...row], x.subarray(0, n * width)),
  });
  for await (const batch of batches) {
    for (const [i, each] of batch.rows.entries()) {
      if (isLeftOut(each)) continue;
      rows[n] = each;
      x.set(batch.x.data.subarray(i * width, (i + 1) * width), n * width);
      if (++n < size) continue;
      yield taken();
      [rows, x, n] = [new Int32Array(size), new Float32Array(size * width), 0];
    }
  }
  if (n > 0) yield taken();
}
