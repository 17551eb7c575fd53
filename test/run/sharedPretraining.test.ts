/** A pretraining that fits share is read as carefully as anything that may come from others. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeTensorGroups } from "../../src/formats/tensorGroups.ts";
import { readPretraining, writePretraining } from "../../src/run/fitting/sharedPretraining.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { folder } from "../files/folder.ts";

const kind = { format: "telltale pretraining", version: 1, value: "pretraining" };
const weights = new Map([["w", tensor("float32", [2], new Float32Array([1, 2]))]]);
const file = join(folder, "pretraining.safetensors");

test("it is read as it was written, by the fits that it belongs to", async () => {
  await writePretraining(file, "these", [weights, weights]);
  expect(await readPretraining(file, "these")).toEqual([weights, weights]);
  await expect(readPretraining(file, "others")).rejects.toThrow(/is the pretraining of other rows/);
});

test.each([
  ["no weights at all", {}],
  ["weights of the first restart alone", { "0": weights }],
])("one with %s is refused, since a fit would begin untrained", async (_, groups) => {
  await writeFile(file, encodeTensorGroups(kind, { of: "these", restarts: 3 }, groups));
  await expect(readPretraining(file, "these")).rejects.toThrow(/is damaged: a restart has no weights; delete it/);
});
