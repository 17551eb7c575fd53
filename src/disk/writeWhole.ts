/** Files that are written whole or not at all. */

import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

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

/**
 * To a file beside it, onto the disk, and only then into its place: whoever reads finds the old file or the new one.
 */
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

/** What to say where a file or a folder cannot be written. */
export function cannotWrite(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = { ENOSPC: "the disk is full", EACCES: "not allowed", EROFS: "the disk is read-only" }[code ?? ""];
  return new Error(`${path}: cannot be written (${why ?? code ?? message})`);
}
