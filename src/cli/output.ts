/** Standard output, which may be a file on a full disk: all of it is written, or it is said that it was not. */

import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { cannotWrite } from "../disk/cannotWrite.ts";

/** The line for people whose output is not whole. */
export function outputLost(error: unknown): string {
  return `${cannotWrite("standard output", error).message}; what was written is not complete`;
}

/**
 * Node writes to a file once and takes what did not fit for written (SyncWriteStream, up to version 24 at least): the
 * end of a chunk that meets a full disk would be lost without a word. Written again from there, the disk says so.
 */
export function writeWholeChunks(stream: Writable & { readonly fd: number }): void {
  // A pipe or a terminal. (Not asked of the file system: fstatSync of a pipe makes Node's next realpathSync go wrong.)
  if (stream instanceof Socket) return;
  stream._write = (chunk: Uint8Array, _, done) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(stream.fd, chunk, at);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}
