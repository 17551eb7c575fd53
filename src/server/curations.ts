/** Runs that somebody changes: one is open at a time, and one edit is made after the other. */

import { type Curation, curate } from "../doors/inside.ts";

export class Curations {
  #open: { readonly path: string; readonly curation: Promise<Curation> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Does something with what people have made of a run, once all that was asked before is done. */
  use<T>(path: string, work: (curation: Curation) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => work(await this.#opened(path)));
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

  async #opened(path: string): Promise<Curation> {
    if (this.#open?.path !== path) {
      await this.#close();
      const curation = curate(path);
      this.#open = { path, curation };
      curation.catch(() => {
        this.#open = undefined;
      });
    }
    return this.#open.curation;
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await (await open?.curation.catch(() => undefined))?.close();
  }
}
