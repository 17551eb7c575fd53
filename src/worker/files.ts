/** Checkpoints on disk: written whole or not at all. */

import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { decodeCheckpoint, encodeCheckpoint } from "../training/checkpoint.ts";
import type { Checkpoint, FitSettings } from "../training/train.ts";
import type { CheckpointFile } from "./messages.ts";

/** Takes a checkpoint when the last is old enough; with small networks that is after every epoch. */
export function checkpointsTo({ file, everySeconds }: CheckpointFile): NonNullable<FitSettings["onCheckpoint"]> {
  let next = Number.NEGATIVE_INFINITY;
  return async (take) => {
    const started = performance.now();
    if (started < next) return;
    await writeWhole(file, encodeCheckpoint(await take()));
    const ended = performance.now();
    next = ended + (everySeconds === undefined ? costliness * (ended - started) : everySeconds * 1000);
  };
}

/** So many times as long as writing one took passes before the next: they take at most a twentieth of the time. */
const costliness = 20;

export async function readCheckpoint(file: string): Promise<Checkpoint> {
  return decodeCheckpoint(await readFile(file));
}

/** A folder and those above it. Node's own way never ends where there can be none, such as below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const made = async (): Promise<NodeJS.ErrnoException | undefined> =>
    mkdir(path).then(
      () => undefined,
      (error) => error,
    );
  let error = await made();
  if (error?.code === "ENOENT" && dirname(path) !== path) {
    await makeFolder(dirname(path));
    error = await made();
  }
  if (error && !(error.code === "EEXIST" && (await stat(path)).isDirectory())) throw error;
}

/** To a file beside it, onto the disk, and only then into its place: whoever reads finds the old file or the new one. */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  const temporary = `${file}.part`;
  try {
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
