/**
 * Data sets that are not here are read from the files that their sites give; a file that is none of them is refused.
 */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeCifar10, decodeSuperclass, pixels } from "../../bench/cifar.ts";
import { isHere, load } from "../../bench/data.ts";
import { encodeNpy } from "../../src/formats/npy.ts";
import { tensor } from "../../src/tensor/tensor.ts";

/** A record: its labels, then a picture that is all of one value. */
const record = (labels: readonly number[], value: number): number[] => [
  ...labels,
  ...new Array<number>(pixels).fill(value),
];
const bytes = (...records: readonly number[][]): Uint8Array => Uint8Array.from(records.flat());

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-data-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("CIFAR-10's binary batches: a label, then three planes of 32 × 32", async () => {
  const { images, labels } = decodeCifar10("batch", bytes(record([3], 7), record([9], 255)));
  expect([...labels]).toEqual([3, 9]);
  expect([images.length, images[0], images.at(-1)]).toEqual([2 * pixels, 7, 255]);
  await mkdir(join(folder, "cifar-10-batches-bin"));
  expect(await isHere(folder, "cifar10")).toBe(false);
  for (const name of ["data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5", "test_batch"]) {
    await writeFile(join(folder, "cifar-10-batches-bin", `${name}.bin`), bytes(record([1], 51), record([2], 0)));
  }
  expect(await isHere(folder, "cifar10")).toBe(true);
  const { data, labels: truth, classes } = await load(folder, "cifar10");
  expect(data.tensor!.shape).toEqual([12, 3, 32, 32]);
  expect(data.tensor!.data[0]).toBeCloseTo(0.2, 6);
  expect([...truth.slice(0, 4), classes]).toEqual([1, 2, 1, 2, 2]);
});

test("CIFAR-100's superclasses: those records alone, their classes numbered from 0", () => {
  const file = bytes(record([0, 55], 1), record([4, 12], 2), record([0, 30], 3), record([0, 55], 4));
  const { images, labels } = decodeSuperclass("train.bin", file, 0);
  expect([...labels]).toEqual([1, 0, 1]);
  expect([images[0], images[pixels], images[2 * pixels]]).toEqual([1, 3, 4]);
});

test("a file that is cut short, or has labels that are none, is refused by name", () => {
  expect(() => decodeCifar10("b.bin", new Uint8Array(pixels))).toThrow(/b\.bin: must be records of 3073 bytes/);
  expect(() => decodeCifar10("b.bin", new Uint8Array(0))).toThrow(/it has 0 bytes/);
  expect(() => decodeCifar10("b.bin", bytes(record([10], 0)))).toThrow(
    /record 0 must have a label from 0 to 9, it has 10/,
  );
  expect(() => decodeSuperclass("t.bin", bytes(record([20, 3], 0)), 0)).toThrow(/a label from 0 to 19, it has 20/);
});

test("features that another program has made: one label for each row", async () => {
  await mkdir(join(folder, "mnist-iic"));
  const write = (name: string, count: number, values: readonly number[], shape: readonly number[]) =>
    writeFile(
      join(folder, "mnist-iic", name),
      encodeNpy(tensor("float32", shape, Float32Array.from(values.slice(0, count)))),
    );
  await write("features.npy", 6, [1, 2, 3, 4, 5, 6], [3, 2]);
  await write("labels.npy", 3, [0, 1, 1], [3]);
  const { data, labels, classes } = await load(folder, "mnist-iic");
  expect([data.tensor!.shape, [...labels], classes]).toEqual([[3, 2], [0, 1, 1], 2]);
  await write("labels.npy", 2, [0, 1], [2]);
  await expect(load(folder, "mnist-iic")).rejects.toThrow(/labels\.npy: must have one label for each of the 3 rows/);
});
