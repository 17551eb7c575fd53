/** Rows to learn from, however many there are: they come batch by batch. */

import type { Random } from "../tensor/random.ts";
import { float32Of, sizeOf, type Tensor, takeRows, tensor } from "../tensor/tensor.ts";

export interface Batch {
  /** Where these rows are in the data. */
  readonly rows: Int32Array;
  /** The rows themselves, [n, …row]. */
  readonly x: Tensor<"float32">;
  /** What each is taught, where that is known: the number of a cluster, or −1. */
  readonly labels?: Float32Array;
  /** The share of each row's numbers that are not missing, where some are and others stand for them. */
  readonly known?: Float32Array;
}

export interface Data {
  /** The shape of one row: [784], or [channels, height, width]. */
  readonly row: readonly number[];
  readonly count: number;
  /** The smallest and the largest number in it. */
  readonly range: readonly [number, number];
  /** All rows, where they are in memory: a GPU then keeps them. */
  readonly tensor?: Tensor<"float32">;
  /**
   * Every row once, in an order that the random stream decides; every batch has `size` rows, only the last may have
   * fewer.
   */
  shuffled(size: number, random: Random): AsyncIterable<Batch> | Iterable<Batch>;
  /** Every row once, from the first to the last. */
  inOrder(size: number): AsyncIterable<Batch> | Iterable<Batch>;
}

/** How many rows a pass over all takes at once: enough to be quick, and few where rows are wide. */
export function rowsAtOnce(row: readonly number[], most = 1024): number {
  return Math.max(1, Math.min(most, Math.floor(2 ** 22 / sizeOf(row))));
}

/** What people have: numbers row by row, a tensor of them, or data that is already prepared. */
export type RowsLike = Data | Tensor | readonly ArrayLike<number>[];

/** With `missing`, what stands for a NaN in each column of a row. */
export function toData(rows: RowsLike, missing?: readonly number[]): Data {
  if ("shuffled" in rows) return rows;
  if ("dtype" in rows) return inMemory(rows, missing);
  const columns = rows[0]?.length;
  if (!Array.isArray(rows) || columns === undefined) {
    throw new TypeError(
      "data: needs rows of numbers, such as [[1, 2], [3, 4]], a tensor, or Data; one row alone is [[1, 2]]",
    );
  }
  const data = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => {
    if (row.length !== columns) {
      throw new RangeError(`data: every row must have ${columns} numbers as the first has, row ${i} has ${row.length}`);
    }
    for (let c = 0; c < columns; c++) {
      // A missing value must not become a zero.
      if (typeof row[c] !== "number") {
        throw new TypeError(
          `data: every value must be a number, got ${JSON.stringify(row[c])} in row ${i}, column ${c}`,
        );
      }
      data[i * columns + c] = row[c]!;
    }
  });
  return inMemory(tensor("float32", [rows.length, columns], data), missing);
}

/** What somebody who has seen every number knows of them: that they are finite, and where values were filled in. */
export interface Seen {
  readonly range: readonly [number, number];
  /** The share of each row's numbers that were not missing; nothing where all were there. */
  readonly known?: Float32Array | undefined;
}

/**
 * Data over a tensor [count, …row], which is not copied if it is float32. Images may be [count, height, width]. Without
 * `seen` its numbers are looked at.
 */
export function inMemory(rows: Tensor, missing?: readonly number[], seen?: Seen): Data {
  const [count, ...rest] = rows.shape;
  if (!count || rest.length === 0 || sizeOf(rest) === 0) {
    throw new RangeError(`data: needs rows of at least one number each, got shape [${rows.shape}]`);
  }
  const row = rest.length === 2 ? [1, ...rest] : rest;
  const numbers = float32Of(rows.data);
  const data = missing
    ? numbers.map((value, at) => (Number.isNaN(value) ? missing[at % missing.length]! : value))
    : numbers;
  const all = tensor("float32", [count, ...row], data);
  const width = sizeOf(row);
  const known = seen ? seen.known : missing && knownIn(numbers, width);
  return {
    row,
    count,
    range: seen?.range ?? rangeOf(data, width),
    tensor: all,
    *shuffled(size, random) {
      const order = random.permutation(count);
      for (let at = 0; at < count; at += size) yield lazyBatch(order.slice(at, at + size), all);
    },
    *inOrder(size) {
      for (let at = 0; at < count; at += size) {
        const n = Math.min(size, count - at);
        const x = tensor("float32", [n, ...row], data.subarray(at * width, (at + n) * width));
        const places = Int32Array.from({ length: n }, (_, i) => at + i);
        yield { rows: places, x, ...(known && { known: known.subarray(at, at + n) }) };
      }
    },
  };
}

/** The share of each row's numbers that are not missing; nothing where none is. */
export function knownIn(numbers: Float32Array, width: number): Float32Array | undefined {
  if (!numbers.some(Number.isNaN)) return undefined;
  const known = new Float32Array(numbers.length / width).fill(1);
  numbers.forEach((value, at) => {
    if (Number.isNaN(value)) known[Math.floor(at / width)]! -= 1 / width;
  });
  // So many small parts leave a rest where all are gone.
  return known.map((share) => (share < 0.5 / width ? 0 : share));
}

/** A batch that copies its rows only where someone asks for them: a GPU needs the positions alone. */
export function lazyBatch(rows: Int32Array, all: Tensor<"float32">): Batch {
  let x: Tensor<"float32"> | undefined;
  return {
    rows,
    get x() {
      x ??= takeRows(all, rows);
      return x;
    },
  };
}

function rangeOf(data: Float32Array, width: number): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (!Number.isFinite(value)) {
      throw new RangeError(
        `data: every number must be finite, got ${value} in row ${Math.floor(i / width)}, column ${i % width}`,
      );
    }
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
