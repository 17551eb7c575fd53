/** Where the rows of a stream go: to the end of a file, to a broker, or to standard output. */

import { once } from "node:events";
import { constants, type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { syncFolder } from "../../disk/writeWhole.ts";
import { type Cell, lines, type OutputColumn, seenOn } from "../../files/output/openOutput.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";

export type SinkFormat = "csv" | "jsonl";

export interface Sink {
  /** Begins the file, if this is its beginning; then the rows. */
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Onto the disk. */
  sync(): Promise<void>;
  /** How long the output is: bytes of a file, rows at a broker. */
  readonly length: number;
  close(): Promise<void>;
}

export interface Target {
  readonly format: SinkFormat;
  /** A file or a broker, which has so much of ours; without it, standard output. */
  readonly path?: string;
  readonly length: number;
  readonly guardFormulas: boolean;
  /** Whether the names of the columns have been written already, and which. */
  readonly isBegun: boolean;
  readonly columns?: readonly string[];
  /** Of a broker, which is connected to already. */
  readonly broker?: { sink(columns: readonly OutputColumn[]): Sink; close(): Promise<void> };
}

export async function openSink(
  { format, path, length, guardFormulas, isBegun, columns: begun, broker }: Target,
  columns: readonly OutputColumn[],
  stream: Writable,
): Promise<Sink> {
  const names = columns.map(({ name }) => name);
  if (begun && JSON.stringify(begun) !== JSON.stringify(names)) {
    throw new RangeError(
      `${path}: has the columns ${begun.join(", ")}, and these rows have ${names.join(", ")}; name another file with --out`,
    );
  }
  if (broker) return broker.sink(columns);
  const line = lines[format](columns, guardFormulas);
  let header = isBegun || format === "jsonl" ? "" : line(names);
  const text = (rows: readonly (readonly Cell[])[]): string => {
    const all = `${header}${rows.map(line).join("")}`;
    header = "";
    return all;
  };
  if (path === undefined) {
    return {
      length: 0,
      async write(rows) {
        if (!stream.write(seenOn(stream, text(rows)))) await once(stream, "drain");
      },
      async sync() {},
      async close() {},
    };
  }
  const end = await openEnd(path, length);
  return {
    get length() {
      return end.length;
    },
    write: (rows) => end.write(text(rows)),
    sync: () => end.sync(),
    close: () => end.close(),
  };
}

/** A file that is written on from where it counts: what lies behind is cut off, and comes again. */
export interface FileEnd {
  write(text: string): Promise<void>;
  sync(): Promise<void>;
  readonly length: number;
  close(): Promise<void>;
}

export async function openEnd(path: string, begin: number): Promise<FileEnd> {
  const file = await opened(path, begin);
  let length = begin;
  return {
    get length() {
      return length;
    },
    async write(text) {
      const bytes = new TextEncoder().encode(text);
      // A full disk may take a part only, and says so at the next try.
      for (let at = 0; at < bytes.length; ) {
        at += (await file.write(bytes, at, bytes.length - at, length + at).catch(failing(path))).bytesWritten;
      }
      length += bytes.length;
    },
    sync: () => file.sync().catch(failing(path)),
    close: () => file.close(),
  };
}

/** Whether a file is the output of a stream, as far as its first line tells; one that is empty or missing may be. */
export async function beginsAs(
  path: string,
  { format, columns }: Pick<NonNullable<StreamState["output"]>, "format" | "columns">,
): Promise<boolean> {
  const named = columns.map((name): OutputColumn => ({ name, type: "text" }));
  const first = format === "csv" ? lines.csv(named)(columns) : `{${JSON.stringify(columns[0] ?? "")}:`;
  const expected = new TextEncoder().encode(first);
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!file) return true;
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(expected.length), 0, expected.length, 0);
    return Buffer.compare(buffer.subarray(0, bytesRead), expected.subarray(0, bytesRead)) === 0;
  } finally {
    await file.close();
  }
}

/** What was written after the last commit is cut off: it comes again. Links are not followed. */
async function opened(path: string, length: number): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags).catch(failing(path));
  await file.truncate(length).catch(failing(path));
  await syncFolder(dirname(path));
  return file;
}

/** What is to be done about it is said too: a stream goes on where it stopped. */
function failing(path: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${cannotWrite(path, error).message}; the same command then goes on where it stopped`);
  };
}
