/** snapshots.safetensors: the clusters through training, kept in the run and read as carefully as anything there. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeTensorGroups } from "../../src/formats/tensorGroups.ts";
import { sortedFiles } from "../../src/run/folder/runFiles.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { Snapshots, snapshotsIn } from "../../src/run/folder/snapshots.ts";
import { cpu } from "../../src/runtime/native.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import type { Epoch, Snapshot } from "../../src/training/epoch.ts";
import { folder } from "../files/folder.ts";
import { blobs, tiny } from "../support/blobs.ts";
import { fitOn } from "../support/fit.ts";
import { finishedRun } from "../support/run.ts";

const filled = (...shape: number[]): Tensor<"float32"> =>
  tensor("float32", shape, new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(0.5));
const epochWith = (restart: number, epoch: number, snapshot?: Snapshot): Epoch => ({
  ...{ restart, phase: "clustering", epoch, epochs: 9, losses: {}, notices: [], seconds: 1, remaining: 0 },
  ...(snapshot && { snapshot }),
});

async function aRun(name: string): Promise<RunFolder> {
  const path = join(folder, `snapshots-${name}`);
  await finishedRun(path);
  const run = new RunFolder(path);
  await run.lock();
  return run;
}

test("a training's snapshots outlive a stop, and the finished run has those of the restart that was kept", async () => {
  const run = await aRun("pictured");
  expect(await snapshotsIn(run)).toEqual([]);
  const model = fitOn([cpu])(blobs().rows, { clusters: 3, method: "tell", ...tiny, epochs: 4, snapshots: 3 });
  const seen: Epoch[] = [];
  for await (const epoch of model) if (epoch.snapshot) seen.push(epoch);
  expect(seen.map(({ epoch }) => epoch)).toEqual([0, 1, 4]);
  const before = await Snapshots.of(run, 3);
  for (const epoch of [...seen.slice(0, 2), epochWith(1, 0, seen[0]!.snapshot)]) await before.add(epoch);
  // As after a stop: what lies beside the checkpoint is gone on with, and an epoch that is made again is no other.
  const after = await Snapshots.of(run, 3);
  for (const epoch of [...seen.slice(1), epochWith(0, 3)]) await after.add(epoch);
  await run.writeAll(new Map(after.file(0)));
  const found = await snapshotsIn(run);
  expect(found).toEqual(seen.map(({ restart, epoch, snapshot }) => ({ restart, epoch, ...snapshot })));
  expect(found.at(-1)!.centers).toEqual(await (await model).centers());
  expect(found.at(-1)!.codes!.shape).toEqual([120, 3]);
  const { ours, others, changed } = await sortedFiles(run.path);
  expect(ours).toEqual(expect.arrayContaining(["snapshots.safetensors", "checkpoint/snapshots.safetensors"]));
  expect([...others, ...changed]).toEqual([]);
});

test("64 MB are kept of a restart: exemplars that are too large are left out, then codes", async () => {
  const run = await aRun("large");
  const snapshots = await Snapshots.of(run, 24);
  const [centers, codes] = [filled(4, 2), filled(1000, 2)];
  await snapshots.add(epochWith(0, 0, { centers, codes, exemplars: filled(4, 1, 400, 400) }));
  await snapshots.add(epochWith(0, 1, { centers, codes, exemplars: filled(4, 1, 500, 500) }));
  await snapshots.add(epochWith(0, 2, { centers, codes: filled(350_000, 2), exemplars: filled(4, 2) }));
  await run.writeAll(new Map(snapshots.file(0)));
  const parts = (await snapshotsIn(run)).map(({ restart: _, epoch: __, ...kept }) => Object.keys(kept).sort());
  expect(parts).toEqual([["centers", "codes", "exemplars"], ["centers", "codes"], ["centers"]]);
});

const kind = { format: "telltale snapshots", version: 1, value: "snapshots" };
const one = [{ restart: 0, epoch: 1 }];
const group = (parts: Record<string, Tensor>) => ({ "0": new Map(Object.entries(parts)) });
const centers = filled(3, 2);
const nan = tensor("float32", [3, 2], new Float32Array(6).fill(Number.NaN));

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), new Map([["centers", centers]])]));

const stranger = await aRun("of a stranger");

test.each([
  ["no centers", encodeTensorGroups(kind, one, group({ codes: filled(5, 2) }))],
  ["more moments than snapshots", encodeTensorGroups(kind, [...one, ...one], group({ centers }))],
  ["more of a restart than are ever kept", encodeTensorGroups(kind, Array(25).fill(one[0]), many(25))],
  ["codes of another length", encodeTensorGroups(kind, one, group({ centers, codes: filled(5, 3) }))],
  ["exemplars of other clusters", encodeTensorGroups(kind, one, group({ centers, exemplars: filled(4, 9) }))],
  ["what is no number", encodeTensorGroups(kind, one, group({ centers: nan }))],
  ["whole numbers", encodeTensorGroups(kind, one, group({ centers: tensor("int32", [3, 2], new Int32Array(6)) }))],
  ["an epoch that is none", encodeTensorGroups(kind, [{ restart: 0, epoch: -1 }], group({ centers }))],
  ["another file", encodeTensorGroups({ ...kind, format: "telltale frames" }, one, group({ centers }))],
  ["bytes", new TextEncoder().encode("snapshots")],
])("with %s they are damaged, in a sentence", async (_, bytes) => {
  await writeFile(stranger.file("snapshots.safetensors"), bytes);
  await expect(snapshotsIn(stranger)).rejects.toThrow(/snapshots\.safetensors/);
});
