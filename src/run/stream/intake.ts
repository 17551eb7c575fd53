/** Lines as they arrive; while nothing does, there is time for something else. */

import { sha256 } from "../../disk/sha256.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import type { Line, LinePosition, LineReader } from "./lineReader.ts";
import type { Header } from "./records.ts";

/** Where a stream is; of messages, also which was the last. */
export interface Position extends LinePosition {
  readonly last?: NonNullable<StreamState["last"]>;
}

/** What to do after so many milliseconds of silence. */
export interface Idle {
  readonly after: () => number;
  readonly call: () => Promise<void>;
}

/** Lines, or messages, one after the other. */
export interface Intake {
  /** The next one; none when the input has ended, or when it is told to stop. */
  next(idle?: Idle): Promise<Line | undefined>;
  /** Behind the last one. */
  readonly position: Position;
  /** What a place is known again by that has not been forgotten. */
  tail(position: Position): string;
  /** Nothing before this place is asked for any more. */
  forget(position: Position): void;
}

/** Where the rows come from. */
export interface Input {
  /** What people call it. */
  readonly name: string;
  /** Of a file with a name. */
  readonly path?: string;
  /** From its beginning, or from where an earlier stream was stopped in it. */
  start(state: StreamState | undefined, options: StartOptions): Promise<Start>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly follow?: boolean;
  readonly skipBad?: boolean;
  readonly signal?: AbortSignal;
}

export interface Start {
  readonly position: Position;
  /** Whether the input is one that begins. */
  readonly isNew: boolean;
  readonly intake: Intake;
  /** What the columns are called; nothing where nothing came. `check` throws where they are not what is needed. */
  header(check: (header: Header) => void): Promise<Beginning | undefined>;
  /** What the columns are called is known. */
  readAs(header: Header): void;
}

export interface Beginning {
  readonly header: Header;
  /** The first line where it is a row as well. */
  readonly line?: Line;
}

export function stoppedIn(name: string, { offset, source, last }: StreamState): RangeError {
  const stopped = last ? `message ${last.place} of ${source}` : `byte ${offset} of ${source}`;
  return new RangeError(
    `${name}: this is not the input that the stream was stopped in (at ${stopped}); give that again, say --new-input if these are other rows, or --restart to begin anew`,
  );
}

/** Lines of bytes. */
export class LineIntake implements Intake {
  readonly #reader: LineReader;
  readonly #chunks: Arrivals<Uint8Array>;
  readonly #signal: AbortSignal | undefined;

  constructor(reader: LineReader, chunks: AsyncIterator<Uint8Array>, signal: AbortSignal | undefined) {
    this.#reader = reader;
    this.#chunks = new Arrivals(chunks);
    this.#signal = signal;
  }

  /** The first byte that tells something; undefined where the input ends without one. */
  async firstByte(): Promise<number | undefined> {
    for (;;) {
      const byte = this.#reader.firstByte();
      if (byte !== undefined || this.#chunks.hasEnded) return byte;
      await this.#more();
    }
  }

  async next(idle?: Idle): Promise<Line | undefined> {
    while (!this.#signal?.aborted) {
      const { hasEnded } = this.#chunks;
      const line = this.#reader.next() ?? (hasEnded ? this.#reader.last() : undefined);
      if (line || hasEnded) return line;
      await this.#more(idle);
    }
    return undefined;
  }

  get position(): Position {
    return this.#reader.position;
  }

  tail({ offset }: Position): string {
    return sha256(this.#reader.before(offset));
  }

  forget({ offset }: Position): void {
    this.#reader.forget(offset);
  }

  async #more(idle?: Idle): Promise<void> {
    const chunk = await this.#chunks.next(idle);
    if (chunk) this.#reader.push(chunk);
  }
}

/** Pieces of an input, waited for in pauses. */
export class Arrivals<T> {
  hasEnded = false;
  readonly #pieces: AsyncIterator<T>;
  #pending: Promise<IteratorResult<T>> | undefined;

  constructor(pieces: AsyncIterator<T>) {
    this.#pieces = pieces;
  }

  /** The next piece; none where the input has ended, or where there was time for something else. */
  async next(idle?: Idle): Promise<T | undefined> {
    this.#pending ??= this.#pieces.next();
    // Whoever stops waiting must not leave an error behind that nobody hears.
    this.#pending.catch(() => {});
    if (idle && !(await within(this.#pending, idle.after()))) return void (await idle.call());
    const { done, value } = await this.#pending;
    this.#pending = undefined;
    if (!done) return value;
    this.hasEnded = true;
    return undefined;
  }
}

/** Whether something happens within so many milliseconds. */
async function within(happening: Promise<unknown>, milliseconds: number): Promise<boolean> {
  if (milliseconds === Number.POSITIVE_INFINITY) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([happening.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends when it is told to, also while it waits. */
export function untilStopped<T>(pieces: AsyncIterator<T>, signal?: AbortSignal): AsyncIterator<T> {
  if (!signal) return pieces;
  const end = { done: true, value: undefined } as const;
  // A race against one promise of the signal would keep something of every piece that ever came.
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      const stop = (): void => resolve(end);
      signal.addEventListener("abort", stop, { once: true });
      const done = (): void => signal.removeEventListener("abort", stop);
      pieces.next().then(resolve, reject).finally(done);
    });
  return { next: async () => (signal.aborted ? end : next()) };
}
