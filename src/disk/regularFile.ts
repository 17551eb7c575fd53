/**
 * Files that are only read: regular ones. Whoever opens a pipe waits for a writer that may never come, and a device
 * gives bytes without end.
 */

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { reasonOf } from "./reasons.ts";

/** What there is at a path that has bytes to read, and what people call it if that is something else. */
export async function statRegular(path: string, name = path): Promise<Stats> {
  const found = await stat(path).catch((error) => {
    throw cannotRead(name, error);
  });
  return required(found, name);
}

/** Opened without waiting for anybody, and looked at once it is open: it cannot become something else in between. */
export async function openRegular(path: string, name = path): Promise<{ file: FileHandle; size: number }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(async (error) => {
    // Opening a socket, or a device that is not there, fails with a word that nobody knows.
    await statRegular(path, name);
    throw cannotRead(name, error);
  });
  try {
    return { file, size: required(await file.stat(), name).size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** All bytes of a file of at most so many; what it has now, whoever may still write to it. */
export async function readRegular(path: string, most: number, name = path): Promise<Uint8Array> {
  const { file, size } = await openRegular(path, name);
  try {
    if (size > most) throw new CannotRead(`${name}: must have ${Math.floor(most)} bytes at most, it has ${size}`);
    const bytes = Buffer.alloc(size);
    let at = 0;
    while (at < size) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } catch (error) {
    throw cannotRead(name, error);
  } finally {
    await file.close();
  }
}

/** What cannot be read, in words, and the system's word for it. */
export class CannotRead extends RangeError {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

export function cannotRead(name: string, error: unknown): CannotRead {
  if (error instanceof CannotRead) return error;
  const { code } = error as NodeJS.ErrnoException;
  const why = code === "ENOENT" ? "there is no such file" : `cannot be read (${reasonOf(error)})`;
  return new CannotRead(`${name}: ${why}`, code);
}

/** What something is that is no regular file. */
const kinds: readonly [(found: Stats) => boolean, string][] = [
  [(found) => found.isDirectory(), "a folder"],
  [(found) => found.isFIFO(), "a pipe"],
  [(found) => found.isSocket(), "a socket"],
  [(found) => found.isCharacterDevice() || found.isBlockDevice(), "a device"],
];

function required(found: Stats, name: string): Stats {
  if (found.isFile()) return found;
  const kind = kinds.find(([is]) => is(found))?.[1] ?? "something else";
  throw new CannotRead(`${name}: must be a file, is ${kind}`);
}
