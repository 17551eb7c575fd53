/** The rows of an array in a file, by the places of their elements. */

import type { Layout } from "../../formats/layout.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import { type Bytes, withNameInErrors } from "../kept/bytes.ts";
import type { RowSource } from "../kept/keepRows.ts";

/** How many numbers are read at once. */
const atOnce = 2 ** 20;

/** An image without channels, [height, width], has one. */
export function elementRows(bytes: Bytes, layout: Layout, where: string): RowSource {
  const [count, ...axes] = layout.shape as [number, ...number[]];
  const width = sizeOf(axes);
  const read = layout.rowMajor ? inRows : inColumns;
  return {
    where,
    names: Array.from({ length: width }, (_, i) => String(i)),
    count,
    row: axes.length === 2 ? [1, ...axes] : axes,
    async *pieces() {
      // In Fortran's order a stretch of rows is a short stretch of every column: few long ones are read faster.
      const together = Math.max(1, Math.floor((layout.rowMajor ? atOnce : 8 * atOnce) / width));
      for (let first = 0; first < count; first += together) {
        const n = Math.min(together, count - first);
        yield { rows: Int32Array.from({ length: n }, (_, i) => first + i), x: await read(first, n) };
      }
    },
    ...(layout.rowMajor && { read }),
  };

  async function inRows(first: number, n: number): Promise<Float32Array> {
    return stretch(first * width, n * width);
  }

  async function inColumns(first: number, n: number): Promise<Float32Array> {
    const x = new Float32Array(n * width);
    for (let c = 0; c < width; c++) {
      const column = await stretch(count * placeInFortranOrder(c, axes) + first, n);
      for (let i = 0; i < n; i++) x[i * width + c] = column[i]!;
    }
    return x;
  }

  async function stretch(first: number, n: number): Promise<Float32Array> {
    const place = [layout.start + first * layout.bytes, n * layout.bytes] as const;
    return layout.numbers(await withNameInErrors(where, () => bytes.read(...place)));
  }
}

/**
 * Where the element is, counted with the first index running fastest, that is at `place` with the last one running
 * fastest.
 */
function placeInFortranOrder(place: number, axes: readonly number[]): number {
  let found = 0;
  let [rest, size] = [place, sizeOf(axes)];
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    size /= axes[axis]!;
    found += (rest % axes[axis]!) * size;
    rest = Math.floor(rest / axes[axis]!);
  }
  return found;
}
