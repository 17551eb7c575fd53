/** Where a stream goes on: at the place where it was stopped, once what lies before it is found to be what it was. */

import { sha256 } from "../../disk/sha256.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { type LinePosition, tailLength } from "./lineReader.ts";
import type { Source } from "./source.ts";

export interface Start {
  readonly position: LinePosition;
  /** The bytes right before it. */
  readonly tail: Uint8Array;
  /** Whether the input is one that begins, so that its header comes first. */
  readonly isNew: boolean;
  readonly chunks: AsyncIterator<Uint8Array>;
}

export async function startOf(
  source: Source,
  state: StreamState | undefined,
  { follow = false, signal }: { follow?: boolean; signal?: AbortSignal },
): Promise<Start> {
  const fresh = (): Start => ({
    position: { offset: 0, breaks: 0 },
    tail: new Uint8Array(0),
    isNew: true,
    chunks: untilStopped(source.chunks(0, follow), signal),
  });
  if (!state || state.offset === 0) return fresh();
  // What has ended on a pipe is over, and another file is another input; the same file may have grown.
  if (state.finished && (!source.isFile || source.path !== state.path)) return fresh();
  const chunks = untilStopped(source.chunks(source.isFile ? state.offset : 0, follow), signal);
  const found = source.isFile ? await tailOfFile(source, state) : await skipped(chunks, state.offset);
  signal?.throwIfAborted();
  if (sha256(found.tail) === state.tail && found.isThere) {
    const { offset, breaks } = state;
    return { position: { offset, breaks }, tail: found.tail, isNew: false, chunks: preceded(found.rest, chunks) };
  }
  // Standard input that is a file has no name to know it by.
  if (state.finished && source.path === undefined) return fresh();
  const stopped = `byte ${state.offset} of ${state.source}`;
  throw new RangeError(
    `${source.name}: this is not the input that the stream was stopped in (at ${stopped}); give that again, say --new-input if these are other rows, or --restart to begin anew`,
  );
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

/** Ends when it is told to, also while it waits. */
function untilStopped(chunks: AsyncIterator<Uint8Array>, signal?: AbortSignal): AsyncIterator<Uint8Array> {
  if (!signal) return chunks;
  const end = { done: true, value: undefined } as const;
  // A race against one promise of the signal would keep something of every piece that ever came.
  const next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      const stop = (): void => resolve(end);
      signal.addEventListener("abort", stop, { once: true });
      const done = (): void => signal.removeEventListener("abort", stop);
      chunks.next().then(resolve, reject).finally(done);
    });
  return { next: async () => (signal.aborted ? end : next()) };
}

async function* preceded(first: Uint8Array | undefined, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
