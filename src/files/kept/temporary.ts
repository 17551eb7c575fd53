/** Files on the side: removed when they are done with, and when the process ends. */

import { createWriteStream, rmSync } from "node:fs";
import { type FileHandle, mkdtemp, open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bytesInWords } from "../../tensor/budget.ts";

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

/** Of the room that is left for temporary files, what others may need. */
const leftOver = 0.1;

/** How many bytes may be written to the folder for temporary files. */
async function roomLeft(): Promise<number> {
  // Where nobody knows, writing will tell.
  const found = await statfs(tmpdir()).catch(() => undefined);
  return found ? (1 - leftOver) * found.bavail * found.bsize : Number.POSITIVE_INFINITY;
}

/** Refuses what would fill the disk, before it does. */
export async function checkRoom(where: string, bytes: number): Promise<void> {
  const room = await roomLeft();
  if (bytes > room) throw noRoom(where, `about ${bytesInWords(bytes)}`, room);
}

function noRoom(where: string, needed: string, room: number): RangeError {
  return new RangeError(
    `${where}: would need ${needed} of temporary files in ${tmpdir()}, where ${bytesInWords(room)} may be used; set TMPDIR to a folder with more room`,
  );
}

/** Writes all that comes to a file, never holding more than a piece of it: a table is read more than once. */
export async function spool(
  where: string,
  input: AsyncIterable<Uint8Array>,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const room = await roomLeft();
  let written = 0;
  async function* bounded(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input) {
      written += chunk.length;
      if (written > room) throw noRoom(where, `more than ${bytesInWords(written)}`, room);
      yield chunk;
    }
  }
  await pipeline(Readable.from(bounded()), createWriteStream(path), { ...(signal && { signal }) });
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
