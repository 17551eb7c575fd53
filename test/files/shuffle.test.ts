import { expect, test } from "vitest";
import { inBatches, type Stretches, shuffledBatches } from "../../src/files/kept/shuffle.ts";
import { Random } from "../../src/tensor/random.ts";

/** Rows [i, −i] that are made when they are asked for, counting how many are. */
function counting(count: number): Stretches & { handed: number } {
  const source = {
    count,
    row: [2],
    width: 2,
    handed: 0,
    async read(first: number, n: number) {
      source.handed += n;
      return Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 ? -1 : 1) * (first + (i >> 1)));
    },
  };
  return source;
}

const limits = { block: 16, buffer: 16 * 2 * 8 };

test.each([1, 15, 16, 17, 1000, 1024])("every row of %i once, whatever the batch", async (count) => {
  for (const size of [1, 7, 64, 2000]) {
    const rows: number[] = [];
    for await (const batch of shuffledBatches(counting(count), size, Random.seeded(1), limits)) {
      expect([...batch.x.data]).toEqual([...batch.rows].flatMap((row) => [row, -row]));
      expect(batch.rows.length).toBe(Math.min(size, count - rows.length));
      rows.push(...batch.rows);
    }
    expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
  }
});

test("what is held at any time is a buffer and a batch, however many rows there are", async () => {
  const source = counting(100_000);
  let given = 0;
  for await (const { rows } of shuffledBatches(source, 32, Random.seeded(1), limits)) {
    // 128 rows of the buffer, and what the batch before left over.
    expect(source.handed - given).toBeLessThanOrEqual(128 + 32);
    given += rows.length;
  }
  expect(source.handed).toBe(100_000);
});

test("of wide rows few are read at once", async () => {
  const width = 150_528;
  let most = 0;
  const wide: Stretches = {
    count: 40,
    row: [3, 224, 224],
    width,
    async read(_, n) {
      most = Math.max(most, n);
      return new Float32Array(n * width);
    },
  };
  for await (const { x } of shuffledBatches(wide, 4, Random.seeded(1))) expect(x.shape).toEqual([4, 3, 224, 224]);
  expect(most * width * 8).toBeLessThanOrEqual(2 ** 24);
});

test("the same seed gives the same order and takes the same from the stream, however far it is read", async () => {
  const read = async (seed: number, most: number): Promise<[number[], number]> => {
    const random = Random.seeded(seed);
    const rows: number[] = [];
    for await (const batch of shuffledBatches(counting(1000), 10, random, limits)) {
      rows.push(...batch.rows);
      if (rows.length >= most) break;
    }
    return [rows, random.state.position];
  };
  const [all, position] = await read(3, 1000);
  expect(await read(3, 1000)).toEqual([all, position]);
  expect(await read(3, 20)).toEqual([all.slice(0, 20), position]);
  expect((await read(4, 1000))[0]).not.toEqual(all);
});

test("rows that lie together in the file are torn apart", async () => {
  let [neighbours, pairs] = [0, 0];
  for await (const { rows } of shuffledBatches(counting(20_000), 64, Random.seeded(1), {
    block: 16,
    buffer: 2 * 4096,
  })) {
    for (let i = 1; i < rows.length; i++) {
      pairs++;
      if (Math.floor(rows[i]! / 16) === Math.floor(rows[i - 1]! / 16)) neighbours++;
    }
  }
  // In a buffer of 4,096 rows, 15 of the other 4,095 are of one's own block: 0.4 %.
  expect(neighbours / pairs).toBeLessThan(0.008);
});

test("pieces of any size in batches of one", async () => {
  const pieces = async function* () {
    for (const n of [1, 0, 5, 3]) yield { rows: new Int32Array(n), x: new Float32Array(2 * n) };
  };
  const shapes: (readonly number[])[] = [];
  for await (const { x } of inBatches(pieces(), 4, [1, 2])) shapes.push(x.shape);
  expect(shapes).toEqual([
    [4, 1, 2],
    [4, 1, 2],
    [1, 1, 2],
  ]);
});
