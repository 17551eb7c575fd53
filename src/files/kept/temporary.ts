/** Files on the side: removed when they are done with, and when the process ends. */

import { createWriteStream, rmSync } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "telltale-"));
  const atExit = (): void => rmSync(path, { recursive: true, force: true });
  process.once("exit", atExit);
  return {
    path,
    async remove() {
      process.off("exit", atExit);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Writes all that comes to a file, never holding more than a piece of it: a table is read more than once. */
export async function spool(input: AsyncIterable<Uint8Array>, path: string, signal?: AbortSignal): Promise<void> {
  await pipeline(Readable.from(input), createWriteStream(path), { ...(signal && { signal }) });
}

/** A file to write to and read from, gone once it is closed. */
export async function unnamedFile(): Promise<{ readonly file: FileHandle; close(): Promise<void> }> {
  const folder = await temporaryFolder();
  try {
    const file = await open(join(folder.path, "rows"), "wx+");
    // An open file needs no name, except on Windows: without one, nothing is left of it even if this process is killed.
    if (process.platform !== "win32") await folder.remove();
    const close = async (): Promise<void> => {
      await file.close();
      await folder.remove();
    };
    return { file, close };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
