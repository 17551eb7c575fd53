/** Rows written to a file on the side, since only there any stretch of them can be read at once: a CSV or a query has only a beginning. */

import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Piece, Stretches } from "./mixing.ts";
import { temporaryFolder } from "./temporary.ts";

export interface Scratch extends Stretches {
  close(): Promise<void>;
}

/** Takes 4 bytes for each number, in the system's folder for temporary files (TMPDIR). */
export async function scratchOf(pieces: AsyncIterable<Piece>, count: number, width: number): Promise<Scratch> {
  const folder = await temporaryFolder();
  let file: FileHandle | undefined;
  const close = async (): Promise<void> => {
    await file?.close();
    await folder.remove();
  };
  try {
    file = await open(join(folder.path, "rows"), "wx+");
    // An open file needs no name, except on Windows: without one, nothing is left of it even if this process is killed.
    if (process.platform !== "win32") await folder.remove();
    let position = 0;
    for await (const { x } of pieces) {
      position += await written(file, new Uint8Array(x.buffer, x.byteOffset, x.byteLength), position);
    }
    const rows = file;
    return { count, row: [width], width, close, read: (first, n) => stretch(rows, first * width, n * width) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function written(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  // A full disk may take a part only, and says so at the next try.
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
  return bytes.length;
}

async function stretch(file: FileHandle, first: number, n: number): Promise<Float32Array> {
  const numbers = new Float32Array(n);
  const bytes = new Uint8Array(numbers.buffer);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, first * 4 + at);
    if (bytesRead === 0) throw new RangeError("data: the file of rows on the side was cut short while it was in use");
    at += bytesRead;
  }
  return numbers;
}
