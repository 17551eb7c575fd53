/** Where rows come from: a file, which is read at any place and may grow, or a pipe, which only flows past. */

import { createReadStream, fstatSync, read } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { cannotRead } from "../../disk/regularFile.ts";
import { formatNamed } from "../../files/recognize.ts";
import { shellPath } from "../../text/shellText.ts";

export interface Source {
  /** What people call it. */
  readonly name: string;
  /** Of a file with a name. */
  readonly path?: string;
  readonly isFile: boolean;
  /** Up to so many bytes from a place on; of a file only. */
  bytes(offset: number, length: number): Promise<Uint8Array>;
  /** The bytes from a place on; a pipe has only 0. Followed, a file ends only when it is told to. */
  chunks(offset: number, follow: boolean): AsyncIterator<Uint8Array>;
  close(): Promise<void>;
}

const chunkSize = 1 << 16;
/** Milliseconds between two looks at a file that may have grown. */
const patience = 100;

export async function openSource(source: string, input: AsyncIterable<Uint8Array> | undefined): Promise<Source> {
  if (input) return pipeSource("the input", input);
  if (source === "-") {
    const name = "standard input";
    return fstatSync(0).isFile() ? fileSource(name, 0) : pipeSource(name, process.stdin, process.stdin);
  }
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw cannotRead(source, error);
  };
  const found = await stat(source).catch(unreadable);
  if (found.isDirectory()) throw new RangeError(`${source}: is a folder; a stream is a file or standard input`);
  // What the shell has opened itself, <(command), is a pipe that somebody writes to.
  const isFromShell = found.isFIFO() && /^\/(dev|proc\/self)\/fd\/\d+$/.test(source);
  if (!found.isFile() && !isFromShell) {
    throw new RangeError(
      `${source}: must be a file, and is a pipe, a device or a socket; give it as standard input: - < ${shellPath(source)}`,
    );
  }
  const format = formatNamed(source);
  if (format && format !== "csv" && format !== "json") {
    throw new TypeError(
      `${source}: a stream is CSV or JSON lines, and this is named like ${format}, which is read as a whole: telltale assign does so`,
    );
  }
  if (isFromShell) {
    const stream = createReadStream(source);
    return pipeSource(source, stream, stream);
  }
  const file = await open(source).catch(unreadable);
  return fileSource(source, file.fd, file);
}

const readFrom = promisify(read);

/** By a descriptor where there is no handle: standard input has none. */
function fileSource(name: string, descriptor: number, file?: FileHandle): Source {
  let isOpen = true;
  const bytes = async (offset: number, length: number): Promise<Uint8Array> => {
    const buffer = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const place = [buffer, filled, length - filled, offset + filled] as const;
      const { bytesRead } = await (file ? file.read(...place) : readFrom(descriptor, ...place));
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  };
  async function* chunks(offset: number, follow: boolean): AsyncGenerator<Uint8Array> {
    for (let at = offset; isOpen; ) {
      const chunk = await bytes(at, chunkSize);
      at += chunk.length;
      if (chunk.length > 0) yield chunk;
      else if (!follow) return;
      else {
        if (fstatSync(descriptor).size < at) {
          throw new RangeError(`${name}: became shorter while it was followed; only a file that grows can be`);
        }
        await pause(patience);
      }
    }
  }
  return {
    name,
    isFile: true,
    ...(file && { path: resolve(name) }),
    bytes,
    chunks,
    async close() {
      isOpen = false;
      await file?.close();
    },
  };
}

function pipeSource(name: string, input: AsyncIterable<Uint8Array>, stream?: Readable): Source {
  return {
    name,
    isFile: false,
    bytes: () => Promise.reject(new TypeError(`${name}: a pipe is not read at places`)),
    chunks: () => input[Symbol.asyncIterator](),
    // Whoever waits for a pipe that is silent keeps the process alive.
    async close() {
      stream?.destroy();
    },
  };
}
