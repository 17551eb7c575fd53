/** frames.safetensors: how the map moved, kept in the run, and read as carefully as anything in a stranger's folder. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeTensorGroups } from "../../src/formats/tensorGroups.ts";
import { framesIn, type KeptFrame, keepFrames, thinned } from "../../src/run/folder/frames.ts";
import { sortedFiles } from "../../src/run/folder/runFiles.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { folder } from "../files/folder.ts";
import { finishedRun } from "../support/run.ts";

const frames = Array.from(
  { length: 3 },
  (_, epoch): KeptFrame => ({
    ...{ restart: 0, phase: "clustering", epoch },
    places: Uint16Array.from([0, 65_535, epoch, 7]),
    labels: Uint16Array.from([1, epoch]),
  }),
);

test("they are part of the run, and come back as they were", async () => {
  const path = join(folder, "framed");
  await finishedRun(path);
  const run = new RunFolder(path);
  expect(await framesIn(run)).toEqual([]);
  await keepFrames(run, frames);
  expect(await framesIn(run)).toEqual(frames);
  const { ours, others, changed } = await sortedFiles(path);
  expect(ours).toContain("frames.safetensors");
  expect([...others, ...changed]).toEqual([]);
});

test("what the clusters were is kept with them, also where they have become fewer", async () => {
  const path = join(folder, "drawn");
  await finishedRun(path);
  const run = new RunFolder(path);
  const drawn = frames.map((frame, i) => (i === 0 ? frame : { ...frame, exemplars: new Float32Array(4 - i).fill(i) }));
  await keepFrames(run, drawn);
  expect(await framesIn(run)).toEqual(drawn);
});

test("of many, sixty are kept: the first, the last, and others evenly between", () => {
  const kept = thinned(Array.from({ length: 1000 }, (_, i) => i));
  expect(kept).toHaveLength(60);
  expect([kept[0], kept.at(-1)]).toEqual([0, 999]);
  const steps = kept.slice(1).map((frame, i) => frame - kept[i]!);
  expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
});

const kind = { format: "telltale frames", version: 1, value: "frames" };
const one = [{ restart: 0, phase: "clustering", epoch: 1 }];
const places = tensor("int32", [1, 2, 2], Int32Array.from([0, 1, 2, 3]));
const labels = tensor("int32", [1, 2], Int32Array.from([0, 1]));

test.each([
  ["no tensors", encodeTensorGroups(kind, one, {})],
  ["other shapes", encodeTensorGroups(kind, one, { places, labels: tensor("int32", [1, 3], new Int32Array(3)) })],
  ["more frames than places", encodeTensorGroups(kind, [...one, ...one], { places, labels })],
  [
    "places beyond the square",
    encodeTensorGroups(kind, one, { labels, places: tensor("int32", [1, 2, 2], Int32Array.from([0, 1, 2, 65_536])) }),
  ],
  ["a phase that is none", encodeTensorGroups(kind, [{ ...one[0], phase: "x" }], { places, labels })],
  [
    "fewer exemplars than they say",
    encodeTensorGroups(kind, one, {
      ...{ places, labels, exemplarSizes: tensor("int32", [1], Int32Array.from([3])) },
      exemplars: tensor("float32", [2], new Float32Array(2)),
    }),
  ],
  [
    "exemplars of no frame",
    encodeTensorGroups(kind, one, { places, labels, exemplars: tensor("float32", [2], new Float32Array(2)) }),
  ],
  [
    "negative exemplars",
    encodeTensorGroups(kind, one, {
      ...{ places, labels, exemplarSizes: tensor("int32", [1], Int32Array.from([-1])) },
      exemplars: tensor("float32", [0], new Float32Array(0)),
    }),
  ],
  ["another file", encodeTensorGroups({ ...kind, format: "telltale stream" }, one, { places, labels })],
  ["bytes", new TextEncoder().encode("frames")],
])("with %s they are damaged, in a sentence", async (name, bytes) => {
  const path = join(folder, `frames ${name}`);
  await finishedRun(path);
  await writeFile(join(path, "frames.safetensors"), bytes);
  await expect(framesIn(new RunFolder(path))).rejects.toThrow(/frames\.safetensors is damaged|frames\.safetensors/);
});
