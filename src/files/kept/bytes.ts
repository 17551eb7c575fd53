/** Bytes in a file, any stretch of which can be read; packed ones are unpacked into a file on the side first. */

import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { reasonOf } from "../../disk/reasons.ts";
import { openRegular } from "../../disk/regularFile.ts";
import { checkRoom, unnamedFile } from "./temporary.ts";

export interface Bytes {
  readonly size: number;
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export async function bytesOf(path: string, name: string): Promise<Bytes> {
  const { file, size } = await openRegular(path, name);
  return { size, read: (position, length) => readAt(file, position, length), close: () => file.close() };
}

/** All that comes, which may be up to `most` bytes, in the system's folder for temporary files (TMPDIR). */
export async function spooledBytes(
  where: string,
  input: AsyncIterable<Uint8Array>,
  most: number,
  signal?: AbortSignal,
): Promise<Bytes> {
  await checkRoom(where, most);
  const { file, close } = await unnamedFile();
  try {
    let size = 0;
    for await (const chunk of input) {
      signal?.throwIfAborted();
      if (size + chunk.length > most) {
        throw new RangeError(`${where}: unpacks to more than the ${most} bytes that it announces`);
      }
      size += await writeAt(file, chunk, size);
    }
    return { size, read: (position, length) => readAt(file, position, length), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What to say of an error on the way to a temporary file: whether the disk failed or the data. */
export function spoolError(where: string, error: NodeJS.ErrnoException, otherwise: string): Error {
  if (error instanceof RangeError && error.message.startsWith(`${where}: `)) return error;
  if (error.syscall !== "write" && error.syscall !== "mkdtemp") return new RangeError(`${where}: ${otherwise}`);
  return new RangeError(
    `${where}: a temporary file cannot be written in ${tmpdir()} (${reasonOf(error)}); set TMPDIR to a folder that is there and has room`,
  );
}

export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  // A full disk may take a part only, and says so at the next try.
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
  return bytes.length;
}

export async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at);
    if (bytesRead === 0)
      throw new RangeError("was cut short while it was read; read it again when nothing writes to it");
    at += bytesRead;
  }
  return bytes;
}

/** Up to so many bytes from the beginning of a file. */
export async function readStart(path: string, most: number): Promise<Uint8Array> {
  const { file, size } = await openRegular(path);
  return readAt(file, 0, Math.min(size, most)).finally(() => file.close());
}

/** A file from its beginning to its end. */
export async function* piecesOf(path: string, name: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const { file } = await openRegular(path, name);
  yield* file.createReadStream({ highWaterMark: 2 ** 18, ...(signal && { signal }) });
}

/** The readers of formats/ do not know whose bytes they read. */
export async function withNameInErrors<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}
