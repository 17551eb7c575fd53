/** The sessions of programs that share a state, each opened when it is first needed. */

import type { Program } from "./program.ts";
import { Session } from "./session.ts";
import type { State } from "./state.ts";

/** What builds a program, of something that the sessions belong to. */
export type BuildProgram<Owner> = (owner: Owner) => Program;

/**
 * A program is known by the function that builds it: there is no name that could miss one, or hide one behind another.
 */
export class Sessions<Owner> {
  readonly #owner: Owner;
  readonly #state: State;
  readonly #onOpen: (session: Session) => Promise<void>;
  readonly #opened = new Map<BuildProgram<Owner>, Promise<Session>>();

  constructor(owner: Owner, state: State, onOpen: (session: Session) => Promise<void> = async () => {}) {
    this.#owner = owner;
    this.#state = state;
    this.#onOpen = onOpen;
  }

  of(build: BuildProgram<Owner>): Promise<Session> {
    let session = this.#opened.get(build);
    if (!session) {
      session = this.#open(build(this.#owner));
      this.#opened.set(build, session);
      // What failed may be tried again.
      session.catch(() => this.#opened.delete(build));
    }
    return session;
  }

  async close(): Promise<void> {
    // A program that could not be opened has nothing to close.
    const opened = await Promise.allSettled(this.#opened.values());
    for (const session of opened) if (session.status === "fulfilled") await session.value.close();
  }

  async #open(program: Program): Promise<Session> {
    const session = await Session.open(program, this.#state.device, { state: this.#state });
    await this.#onOpen(session).catch(async (error) => {
      await session.close();
      throw error;
    });
    return session;
  }
}
