/** Lines as they arrive; while nothing does, there is time for something else. */

import type { Line, LineReader } from "./lineReader.ts";

export class Intake {
  readonly #reader: LineReader;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  #pending: Promise<IteratorResult<Uint8Array>> | undefined;
  #hasEnded = false;

  constructor(reader: LineReader, chunks: AsyncIterator<Uint8Array>, signal: AbortSignal | undefined) {
    this.#reader = reader;
    this.#chunks = chunks;
    this.#signal = signal;
  }

  /** The first byte that tells something; undefined where the input ends without one. */
  async firstByte(): Promise<number | undefined> {
    for (;;) {
      const byte = this.#reader.firstByte();
      if (byte !== undefined || this.#hasEnded) return byte;
      await this.#more();
    }
  }

  /**
   * The next line; none when the input has ended, or when it is told to stop. `idle` is called after so many
   * milliseconds of silence.
   */
  async next(idle?: { readonly after: () => number; readonly call: () => Promise<void> }): Promise<Line | undefined> {
    while (!this.#signal?.aborted) {
      const line = this.#reader.next() ?? (this.#hasEnded ? this.#reader.last() : undefined);
      if (line || this.#hasEnded) return line;
      await this.#more(idle);
    }
    return undefined;
  }

  async #more(idle?: { readonly after: () => number; readonly call: () => Promise<void> }): Promise<void> {
    this.#pending ??= this.#chunks.next();
    // Whoever stops waiting must not leave an error behind that nobody hears.
    this.#pending.catch(() => {});
    if (idle && !(await within(this.#pending, idle.after()))) return idle.call();
    const { done, value } = await this.#pending;
    this.#pending = undefined;
    if (done) this.#hasEnded = true;
    else this.#reader.push(value);
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
