/** What happens, told to whoever listens: server-sent events with numbers, so that nobody misses one for long. */

import type { ServerEvent } from "../api/fits.ts";
import { Refused } from "./refused.ts";

/** Events that are remembered for those who come back, listeners at most, and events that one may leave unread. */
const [remembered, mostListeners, mostUnread] = [2000, 100, 2000];

/** In milliseconds: so often a sign of life, by which a connection that is gone is noticed. */
const heartbeat = 15_000;

interface Told {
  readonly id: number;
  readonly text: string;
}

export class EventHub {
  readonly #told: Told[] = [];
  readonly #listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #encoder = new TextEncoder();
  readonly #timer: NodeJS.Timeout;
  #last = 0;

  constructor() {
    this.#timer = setInterval(() => this.#send(": \n\n"), heartbeat).unref();
  }

  /** Whether anybody listens. */
  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  tell(event: ServerEvent): void {
    const id = ++this.#last;
    const text = `id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
    this.#told.push({ id, text });
    if (this.#told.length > remembered) this.#told.shift();
    this.#send(text);
  }

  /** From the event after `last` on. */
  listen(last: number | undefined): ReadableStream<Uint8Array> {
    if (this.#listeners.size >= mostListeners) throw new Refused(429, "too many listen already; close some pages");
    let own: ReadableStreamDefaultController<Uint8Array>;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = controller;
          this.#listeners.add(controller);
          const missed = last === undefined ? [] : this.#told.filter(({ id }) => id > last);
          // The id of a first line that is no event: whoever comes back asks from here.
          const begin = `retry: 1000\nid: ${this.#last}\n: \n\n`;
          controller.enqueue(this.#encoder.encode([begin, ...missed.map(({ text }) => text)].join("")));
        },
        cancel: () => {
          this.#listeners.delete(own);
        },
      },
      { highWaterMark: mostUnread },
    );
  }

  close(): void {
    clearInterval(this.#timer);
    for (const listener of [...this.#listeners]) this.#drop(listener);
  }

  #send(text: string): void {
    const bytes = this.#encoder.encode(text);
    for (const listener of [...this.#listeners]) {
      // Whoever does not read is let go, and comes back with the number of the last event that he had.
      if ((listener.desiredSize ?? 0) <= 0) this.#drop(listener);
      else listener.enqueue(bytes);
    }
  }

  #drop(listener: ReadableStreamDefaultController<Uint8Array>): void {
    this.#listeners.delete(listener);
    try {
      listener.close();
    } catch {}
  }
}
