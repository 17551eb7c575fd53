/**
 * Rows from wherever they are: each number is looked at once, and all are held in memory if they fit, else streamed.
 */

import { type Batch, type Data, inMemory, knownIn } from "../../data/data.ts";
import { checkMemory, memoryLimit } from "../../tensor/budget.ts";
import { sizeOf, tensor } from "../../tensor/tensor.ts";
import { thousands } from "../../text/thousands.ts";
import { defaultInMemory, type Missing, type OpenedRows, type OpenOptions } from "../openedRows.ts";
import { Holes } from "./holes.ts";
import { type Scratch, scratchOf } from "./scratch.ts";
import { inBatches, type Piece, type ShuffleLimits, shuffledBatches } from "./shuffle.ts";
import { Survey } from "./survey.ts";

export interface RowSource {
  /** What people call it. */
  readonly where: string;
  /** The name of each number in a row. */
  readonly names: readonly string[];
  readonly count: number;
  readonly row: readonly number[];
  /** What to do where it gives other rows the second time; by default, to read it when nothing writes to it. */
  readonly whenChanged?: string;
  /** Every row from the first one on, anew with each call; NaN where a value is missing. */
  pieces(): AsyncIterable<Piece>;
  /**
   * `n` rows from the first one on, where the source can be read in the middle; else its rows are copied to where they
   * can.
   */
  readonly read?: (first: number, n: number) => Promise<Float32Array>;
}

export interface KeptRows {
  readonly data: Data;
  /** How many values are missing, and what stands for them in each column. */
  readonly missing: number;
  readonly filled?: readonly number[];
  /** Of some rows, the numbers that were missing, where any were; rows without are left out. */
  readonly missingOf?: OpenedRows["missingOf"];
  close(): Promise<void>;
}

export interface KeepOptions extends Pick<OpenOptions, "inMemory" | "memory" | "signal"> {
  readonly missing?: Missing;
  /** How many numbers take as much memory as what is held beside each row. */
  readonly beside?: number;
  /** How many bytes are held at once while rows are read. */
  readonly reading?: number;
  readonly limits?: ShuffleLimits;
}

const whenWrittenTo = "changed while it was read; read it again when nothing writes to it";
/** Bytes that a column takes whatever its rows: its name, what it is made of, its sums. */
const bytesPerColumn = 300;
/** In numbers: rows that are streamed are shuffled in buffers of this size. */
const bufferSize = 2 ** 24;

export async function keepRows(
  source: RowSource,
  { missing, inMemory: most = defaultInMemory, memory, signal, beside = 0, reading = 0, limits = {} }: KeepOptions,
): Promise<KeptRows> {
  const { where, names, count, row } = source;
  if (count > 2 ** 31 - 1) throw new RangeError(`${where}: can have up to 2³¹ − 1 rows, has ${count}`);
  const width = sizeOf(row);
  const fits = count * (width + beside) <= most;
  const held = 4 * (fits ? count * (width + beside) : Math.min(count * width, 2 * Math.max(bufferSize, width)));
  const what = `${count} rows of ${width} numbers`;
  const bytes = held + reading + bytesPerColumn * width;
  checkMemory({ where, what, bytes, cure: "use fewer columns" }, memoryLimit(memory));
  const kept = fits ? new Float32Array(count * width) : undefined;
  const survey = new Survey(where, names);
  let holes: Holes | undefined;
  for await (const { rows, x } of withCheckedCount(source)) {
    signal?.throwIfAborted();
    const before = survey.missing;
    survey.see(x, rows[0]!);
    if (kept && survey.missing > before) {
      holes ??= new Holes(count, width);
      holes.see(x, rows[0]!);
    }
    kept?.set(x, rows[0]! * width);
  }
  const filled = survey.filling(missing);
  const missingOf = async (rows: readonly number[]) => holesIn(rows, holes ?? (await holesOf(source, rows)));
  const found = { missing: survey.missing, ...(filled && { filled }), ...(survey.missing > 0 && { missingOf }) };
  const range = survey.range(filled);
  if (kept) {
    const known = survey.missing > 0 ? knownIn(kept, width) : undefined;
    if (filled && known) fill(kept, filled);
    const data = inMemory(tensor("float32", [count, ...row], kept), undefined, { range, known });
    return { ...found, data, close: async () => {} };
  }

  const pieces = async function* (): AsyncGenerator<Piece> {
    for await (const piece of withCheckedCount(source)) {
      if (filled) fill(piece.x, filled);
      yield piece;
    }
  };
  let scratch: Promise<Scratch> | undefined;
  const read = source.read && filledReader(source.read, filled);
  return {
    ...found,
    data: {
      row,
      count,
      range,
      inOrder: (size) => filledBatches(inBatches(withCheckedCount(source), Math.min(size, count), row), filled),
      async *shuffled(size, random) {
        if (!read) scratch ??= scratchOf(where, pieces(), { count, width }, signal);
        const stretches = { count, row, width, read: read ?? (await scratch!).read };
        yield* shuffledBatches(stretches, Math.min(size, count), random, limits);
      },
    },
    async close() {
      const written = await scratch?.catch(() => undefined);
      await written?.close();
    },
  };
}

function holesIn(rows: readonly number[], holes: Pick<Holes, "of">): Map<number, readonly number[]> {
  return new Map(rows.map((row) => [row, holes.of(row)] as const).filter(([, missing]) => missing.length > 0));
}

/** The same of rows that are streamed, in one more pass over them. */
async function holesOf(source: RowSource, wanted: readonly number[]): Promise<Pick<Holes, "of">> {
  const width = sizeOf(source.row);
  const found = new Map<number, number[]>();
  const last = Math.max(...wanted);
  for await (const { rows, x } of source.pieces()) {
    const first = rows[0] ?? 0;
    for (const row of wanted) {
      if (row < first || row >= first + rows.length) continue;
      const numbers = x.subarray((row - first) * width, (row - first + 1) * width);
      found.set(
        row,
        [...numbers.keys()].filter((c) => Number.isNaN(numbers[c])),
      );
    }
    if (first + rows.length > last) break;
  }
  return { of: (row) => found.get(row) ?? [] };
}

/** A source may change under our hands: it must give as many rows as it has announced, each time. */
async function* withCheckedCount({ where, count, pieces, whenChanged }: RowSource): AsyncGenerator<Piece> {
  const changed = (): Error => new RangeError(`${where}: ${whenChanged ?? whenWrittenTo}`);
  let seen = 0;
  for await (const piece of pieces()) {
    seen += piece.rows.length;
    if (seen > count) throw changed();
    if (piece.rows.length > 0) yield piece;
  }
  if (seen !== count) throw changed();
}

/** Batches whose missing values are filled in, and of each row how much was known. */
async function* filledBatches(
  batches: AsyncIterable<Batch>,
  filled: readonly number[] | undefined,
): AsyncGenerator<Batch> {
  for await (const { rows, x } of batches) {
    const known = filled && knownIn(x.data, x.data.length / rows.length);
    if (filled) fill(x.data, filled);
    yield { rows, x, ...(known && { known }) };
  }
}

function filledReader(read: NonNullable<RowSource["read"]>, filled: readonly number[] | undefined): typeof read {
  if (!filled) return read;
  return async (first, n) => {
    const x = await read(first, n);
    fill(x, filled);
    return x;
  };
}

function fill(x: Float32Array, values: readonly number[]): void {
  for (let i = 0; i < x.length; i++) if (Number.isNaN(x[i])) x[i] = values[i % values.length]!;
}

/** What was done about missing values, for people. */
export function missingWords(count: number, all: number, missing: number): string {
  const left = `, leaving out ${thousands(all - count)} of ${thousands(all)} rows with missing values`;
  const filled = `, filling ${thousands(missing)} missing ${missing === 1 ? "value" : "values"}`;
  return `${count < all ? left : ""}${missing > 0 ? filled : ""}`;
}
