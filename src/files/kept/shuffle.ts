/** Rows that do not fit into memory, shuffled and in batches, from something that reads any stretch of them. */

import type { Batch } from "../../data/data.ts";
import { Random } from "../../tensor/random.ts";
import { tensor } from "../../tensor/tensor.ts";

export interface Stretches {
  readonly count: number;
  /** The shape of a row, and how many numbers that is. */
  readonly row: readonly number[];
  readonly width: number;
  /** `n` rows from the first one on. */
  read(first: number, n: number): Promise<Float32Array>;
}

export interface ShuffleLimits {
  /** How many neighbouring rows are read at once, and so stay in one buffer; fewer where rows are wide. */
  readonly block?: number;
  /** How many numbers the buffer holds. */
  readonly buffer?: number;
}

/**
 * Every row once. Blocks of neighbouring rows are taken in random order into a buffer, whose rows are then shuffled and
 * handed out.
 *
 * How well it mixes: every order within a buffer is equally likely, and which blocks share a buffer is random. With the
 * usual 64 MB and 32 columns, a buffer is half a million rows from 2,048 random places, so of the 32,640 pairs in a
 * batch of 256 about 16 were neighbours in the file: nothing that a gradient notices, even where the file is sorted.
 */
export async function* shuffledBatches(
  source: Stretches,
  size: number,
  random: Random,
  { buffer = 2 ** 24, block = Math.max(1, Math.min(256, Math.floor(buffer / (8 * source.width)))) }: ShuffleLimits = {},
): AsyncGenerator<Batch> {
  // One draw from the caller's stream, as early as in memory: how far it has come does not depend on how far these
  // batches have.
  const own = Random.seeded(random.word() * 2 ** 21 + (random.word() >>> 11));
  const blocks = own.permutation(Math.ceil(source.count / block));
  const together = Math.max(1, Math.floor(buffer / (block * source.width)));
  yield* inBatches(pieces(), size, source.row);

  async function* pieces(): AsyncGenerator<Piece> {
    for (let at = 0; at < blocks.length; at += together) {
      const { rows, x } = await gathered(blocks.subarray(at, at + together));
      const order = own.permutation(rows.length);
      for (let from = 0; from < order.length; from += size) yield picked(rows, x, order.subarray(from, from + size));
    }
  }

  async function gathered(chosen: Int32Array): Promise<Piece> {
    const lengths = Array.from(chosen, (b) => Math.min(block, source.count - b * block));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const [rows, x] = [new Int32Array(total), new Float32Array(total * source.width)];
    let at = 0;
    for (const [i, length] of lengths.entries()) {
      const first = chosen[i]! * block;
      x.set(await source.read(first, length), at * source.width);
      for (let r = 0; r < length; r++) rows[at + r] = first + r;
      at += length;
    }
    return { rows, x };
  }

  function picked(rows: Int32Array, x: Float32Array, order: Int32Array): Piece {
    const { width } = source;
    const taken = new Float32Array(order.length * width);
    order.forEach((from, to) => {
      taken.set(x.subarray(from * width, (from + 1) * width), to * width);
    });
    return { rows: Int32Array.from(order, (from) => rows[from]!), x: taken };
  }
}

/** Some rows, as many as happen to come together. */
export interface Piece {
  readonly rows: Int32Array;
  readonly x: Float32Array;
}

/** The same rows in batches of one size, the last aside. */
export async function* inBatches(
  pieces: AsyncIterable<Piece>,
  size: number,
  row: readonly number[],
): AsyncGenerator<Batch> {
  let [rows, x, filled] = [new Int32Array(size), undefined as Float32Array | undefined, 0];
  for await (const piece of pieces) {
    if (piece.rows.length === 0) continue;
    const width = piece.x.length / piece.rows.length;
    for (let at = 0; at < piece.rows.length; ) {
      x ??= new Float32Array(size * width);
      const n = Math.min(size - filled, piece.rows.length - at);
      rows.set(piece.rows.subarray(at, at + n), filled);
      x.set(piece.x.subarray(at * width, (at + n) * width), filled * width);
      at += n;
      filled += n;
      if (filled < size) continue;
      yield { rows, x: tensor("float32", [size, ...row], x) };
      [rows, x, filled] = [new Int32Array(size), undefined, 0];
    }
  }
  if (x && filled > 0) {
    const numbers = x.subarray(0, (x.length / size) * filled);
    yield { rows: rows.subarray(0, filled), x: tensor("float32", [filled, ...row], numbers) };
  }
}
