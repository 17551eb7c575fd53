/** Questions that a process of its own answers, so that the server answers all others meanwhile. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SomeHandlers } from "../../api/handlers.ts";
import type { EventHub } from "../eventHub.ts";
import { Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";
import { atDesk, type DeskRoute, type FromDesk, type ToDesk } from "./messages.ts";

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

/** A process, and who waits for it: by the numbers of their questions. */
interface Answering {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
}

interface DeskOptions {
  readonly shelf: RunShelf;
  readonly hub: EventHub;
  /** Starts a process that answers. */
  readonly start?: () => ChildProcess;
}

export class Desk {
  readonly #shelf: RunShelf;
  readonly #hub: EventHub;
  readonly #start: () => ChildProcess;
  #answering: Answering | undefined;
  #last = 0;

  constructor({ shelf, hub, start = startChild }: DeskOptions) {
    this.#shelf = shelf;
    this.#hub = hub;
    this.#start = start;
  }

  /** One for each route that is answered there. */
  answers(): SomeHandlers<DeskRoute> {
    const asking =
      (route: DeskRoute) => async (asked: { readonly in: object; readonly query?: object | undefined }) => {
        const words = { ...asked.in, ...asked.query } as { run?: string; a?: string; b?: string };
        const ids = route === "compare" || route === "comparedRows" ? [words.a!, words.b!] : [words.run!];
        const runs = await Promise.all(ids.map(async (id) => [id, await this.#shelf.pathOf(id)] as const));
        return this.#ask({ number: ++this.#last, route, asked, runs });
      };
    return Object.fromEntries(atDesk.map((route) => [route, asking(route)])) as unknown as SomeHandlers<DeskRoute>;
  }

  /** Lets it finish what it is at. */
  async close(): Promise<void> {
    const open = this.#answering?.child;
    if (!open?.connected) return;
    const ended = once(open, "exit");
    open.disconnect();
    await ended;
  }

  #ask(message: ToDesk): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { child, waiting } = this.#opened();
      waiting.set(message.number, { resolve, reject });
      child.send(message);
    });
  }

  /** One that can no longer be asked may take a while to end: the next has begun by then, with questions of its own. */
  #opened(): Answering {
    if (this.#answering?.child.connected) return this.#answering;
    const answering: Answering = { child: this.#start(), waiting: new Map() };
    const { child, waiting } = answering;
    this.#answering = answering;
    child.on("message", (message: FromDesk) => this.#hear(message, waiting));
    child.on("error", () => {});
    child.on("exit", () => {
      if (this.#answering === answering) this.#answering = undefined;
      for (const { reject } of waiting.values()) {
        reject(new Refused(503, "the process that answers has ended itself; ask again"));
      }
      waiting.clear();
    });
    return answering;
  }

  #hear(message: FromDesk, asked: Map<number, Waiting>): void {
    if (message.kind === "event") {
      // Whoever hears of it asks for the run as it is now.
      if (message.event.kind === "curation") void this.#shelf.forget(message.event.run);
      this.#hub.tell(message.event);
      return;
    }
    const waiting = asked.get(message.number);
    asked.delete(message.number);
    if (message.kind === "answer") waiting?.resolve(message.reply);
    else
      waiting?.reject(
        message.status === undefined ? new Error(message.problem) : new Refused(message.status, message.problem),
      );
  }
}

function startChild(): ChildProcess {
  return fork(fileURLToPath(new URL("./child.js", import.meta.url)), {
    serialization: "advanced",
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
