/** Runs that somebody changes: one is open at a time, and one edit is made after the other. */

import { type Curation, curate } from "../doors/inside.ts";
import { runStamp } from "./runStamp.ts";

interface Open {
  readonly path: string;
  readonly curation: Promise<Curation>;
  /** Of the run as it was read or as the last edit has left it. */
  stamp: string;
}

export class Curations {
  #open: Open | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Does something with what people have made of a run, once all that was asked before is done. */
  use<T>(path: string, work: (curation: Curation) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      const open = await this.#opened(path);
      const result = await work(await open.curation);
      open.stamp = await runStamp(path);
      return result;
    });
    this.#last = done.catch(() => {});
    return done;
  }

  /** Whatever went wrong may have to do with what another process has written: it is opened anew. */
  forget(): Promise<void> {
    return this.#close();
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#close();
  }

  /** What another process has changed is read again. */
  async #opened(path: string): Promise<Open> {
    const stamp = await runStamp(path);
    if (this.#open?.path === path && this.#open.stamp === stamp) return this.#open;
    await this.#close();
    const open = { path, stamp, curation: curate(path) };
    this.#open = open;
    open.curation.catch(() => {
      this.#open = undefined;
    });
    return open;
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await (await open?.curation.catch(() => undefined))?.close();
  }
}
