/**
 * Rows written to a file on the side, since only there any stretch of them can be read at once: a CSV or a query has
 * only a beginning.
 */

import { readAt, spoolError, writeAt } from "./bytes.ts";
import type { Piece } from "./shuffle.ts";
import { checkRoom, unnamedFile } from "./temporary.ts";

export interface Scratch {
  /** `n` rows from the first one on. */
  read(first: number, n: number): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Takes 4 bytes for each number, in the system's folder for temporary files (TMPDIR). */
export async function scratchOf(
  where: string,
  pieces: AsyncIterable<Piece>,
  { count, width }: { readonly count: number; readonly width: number },
  signal?: AbortSignal,
): Promise<Scratch> {
  await checkRoom(where, 4 * count * width);
  const said = (error: NodeJS.ErrnoException): Error =>
    error.syscall ? spoolError(where, error, error.message) : error;
  const { file, close } = await unnamedFile().catch((error) => Promise.reject(said(error)));
  try {
    let position = 0;
    for await (const { x } of pieces) {
      signal?.throwIfAborted();
      position += await writeAt(file, new Uint8Array(x.buffer, x.byteOffset, x.byteLength), position);
    }
  } catch (error) {
    await close();
    throw said(error as Error);
  }
  const read = async (first: number, n: number): Promise<Float32Array> =>
    new Float32Array((await readAt(file, first * width * 4, n * width * 4)).buffer);
  return { read, close };
}
