/** Where a stream goes on: at the place where it was stopped, once what lies before it is found to be what it was. */

import { sha256 } from "../../disk/sha256.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { headerOf, readAs } from "./header.ts";
import { type Input, LineIntake, type Start, type StartOptions, stoppedIn, untilStopped } from "./intake.ts";
import { type LinePosition, LineReader, tailLength } from "./lineReader.ts";
import { openSource, type Source } from "./source.ts";

/** Lines of a file or a pipe. */
export async function openLines(named: string, bytes: AsyncIterable<Uint8Array> | undefined): Promise<Input> {
  const source = await openSource(named, bytes);
  const { name, path } = source;
  return {
    name,
    ...(path !== undefined && { path }),
    start: async (state, options) => {
      const { position, tail, isNew, chunks } = await placeIn(source, state, options);
      const reader = new LineReader(name, position, tail);
      const intake = new LineIntake(reader, chunks, options.signal);
      const start: Start = {
        position,
        isNew,
        intake,
        header: () => headerOf(name, intake, reader),
        readAs: (header) => readAs(reader, header),
      };
      return start;
    },
    close: () => source.close(),
  };
}

interface Place {
  readonly position: LinePosition;
  /** The bytes right before it. */
  readonly tail: Uint8Array;
  /** Whether the input is one that begins, so that its header comes first. */
  readonly isNew: boolean;
  readonly chunks: AsyncIterator<Uint8Array>;
}

async function placeIn(
  source: Source,
  state: StreamState | undefined,
  { follow = false, signal }: StartOptions,
): Promise<Place> {
  const fresh = (): Place => ({
    position: { offset: 0, breaks: 0 },
    tail: new Uint8Array(0),
    isNew: true,
    chunks: untilStopped(source.chunks(0, follow), signal),
  });
  if (!state || state.offset === 0) return fresh();
  // What has ended on a pipe is over, and another file is another input; the same file may have grown.
  if (state.finished && (state.last || !source.isFile || source.path !== state.path)) return fresh();
  if (state.last) throw stoppedIn(source.name, state);
  const chunks = untilStopped(source.chunks(source.isFile ? state.offset : 0, follow), signal);
  const found = source.isFile ? await tailOfFile(source, state) : await skipped(chunks, state.offset);
  signal?.throwIfAborted();
  if (sha256(found.tail) === state.tail && found.isThere) {
    const { offset, breaks } = state;
    return { position: { offset, breaks }, tail: found.tail, isNew: false, chunks: preceded(found.rest, chunks) };
  }
  // Standard input that is a file has no name to know it by.
  if (state.finished && source.path === undefined) return fresh();
  throw stoppedIn(source.name, state);
}

interface Found {
  readonly tail: Uint8Array;
  /** What came after it already. */
  readonly rest?: Uint8Array;
  /** Whether the input is that long. */
  readonly isThere: boolean;
}

async function tailOfFile(source: Source, { offset }: StreamState): Promise<Found> {
  const length = Math.min(offset, tailLength);
  const tail = await source.bytes(offset - length, length);
  return { tail, isThere: tail.length === length };
}

/** Lets bytes flow past. */
async function skipped(chunks: AsyncIterator<Uint8Array>, offset: number): Promise<Found> {
  let tail = new Uint8Array(0);
  for (let seen = 0; seen < offset; ) {
    const { done, value } = await chunks.next();
    if (done) return { tail, isThere: false };
    const taken = value.subarray(0, offset - seen);
    const joined = new Uint8Array(tail.length + taken.length);
    joined.set(tail);
    joined.set(taken, tail.length);
    tail = joined.subarray(Math.max(0, joined.length - tailLength));
    seen += taken.length;
    if (taken.length < value.length) return { tail, rest: value.subarray(taken.length), isThere: true };
  }
  return { tail, isThere: true };
}

async function* preceded(first: Uint8Array | undefined, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
