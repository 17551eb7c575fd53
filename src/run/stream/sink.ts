/** Where the rows of a stream go: to the end of a file that is as long as the state says, or to standard output. */

import { once } from "node:events";
import { constants, type FileHandle, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { syncFolder } from "../../disk/writeWhole.ts";
import { type Cell, checkGuard, lines, type OutputColumn, seenOn } from "../../files/output/openOutput.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";

export type SinkFormat = "csv" | "jsonl";

export interface Sink {
  /** Begins the file, if this is its beginning; then the rows. */
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Onto the disk. */
  sync(): Promise<void>;
  /** How long the output is. */
  readonly length: number;
  close(): Promise<void>;
}

export interface Target {
  readonly format: SinkFormat;
  /** A file, which has so many bytes of ours; without it, standard output. */
  readonly path?: string;
  readonly length: number;
  readonly guardFormulas: boolean;
  /** Whether the names of the columns have been written already, and which. */
  readonly isBegun: boolean;
  readonly columns?: readonly string[];
}

/** Where to write, given what an earlier stream has written; wrong wishes are refused before anything is read. */
export async function targetOf(
  {
    out,
    format,
    restart = false,
    guardFormulas = false,
  }: { out?: string; format: SinkFormat; restart?: boolean; guardFormulas?: boolean },
  state: StreamState | undefined,
): Promise<Target> {
  checkGuard(format, guardFormulas);
  const wanted = { format, guardFormulas };
  const path = out === undefined ? undefined : resolve(out);
  const written = state?.output;
  const isUnfinished = !restart && state !== undefined && !state.finished && state.offset > 0;
  if (isUnfinished && written && written.path !== path) {
    throw new RangeError(
      `stream: was stopped while it wrote to ${written.path}, got ${out ?? "standard output"}; name that file with --out to go on, or say --restart to begin anew`,
    );
  }
  if (path === undefined) return { ...wanted, length: 0, isBegun: isUnfinished };
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new RangeError(`${out}: is a folder; name a file`);
  const size = there?.size;
  if (written?.path !== path) {
    if (size !== undefined) throw new RangeError(`${out}: is there already; choose another file, or delete it`);
    return { ...wanted, path, length: 0, isBegun: false };
  }
  // A folder that came from somebody else may name any file.
  if (!(await beginsAs(path, written))) {
    throw new RangeError(`${out}: does not begin as the stream has begun it; restore it, or name another file`);
  }
  if (restart) return { ...wanted, path, length: 0, isBegun: false };
  if (written.length > 0 && written.format !== format) {
    throw new RangeError(
      `${out}: holds ${written.format} and cannot go on as ${format}; say --format ${written.format}`,
    );
  }
  if ((size ?? 0) < written.length) {
    throw new RangeError(
      `${out}: must have the ${written.length} bytes that the stream has written, it has ${size ?? 0}; restore it, or say --restart to begin anew`,
    );
  }
  if (written.length > 0 && (written.guardFormulas ?? false) !== guardFormulas) {
    throw new RangeError(
      `${out}: was begun with${guardFormulas ? "out" : ""} --guard-formulas; say ${guardFormulas ? "nothing of it" : "it"} again, or --restart to begin anew`,
    );
  }
  const { length, columns } = written;
  return { ...wanted, path, length, isBegun: length > 0, ...(length > 0 && { columns }) };
}

export async function openSink(
  { format, path, length, guardFormulas, isBegun, columns: begun }: Target,
  columns: readonly OutputColumn[],
  stream: Writable,
): Promise<Sink> {
  const names = columns.map(({ name }) => name);
  if (begun && JSON.stringify(begun) !== JSON.stringify(names)) {
    throw new RangeError(
      `${path}: has the columns ${begun.join(", ")}, and these rows have ${names.join(", ")}; name another file with --out`,
    );
  }
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
  return fileSink(await opened(path, length), path, length, text);
}

function fileSink(
  file: FileHandle,
  path: string,
  begin: number,
  text: (rows: readonly (readonly Cell[])[]) => string,
): Sink {
  let length = begin;
  return {
    get length() {
      return length;
    },
    async write(rows) {
      const bytes = new TextEncoder().encode(text(rows));
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
async function beginsAs(
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
