/** The sweeps that the server was given, as their folders show them; whoever listens hears when there is news. */

import type { Sweep } from "../api/runs.ts";
import type { SweepFolder, SweepState } from "../doors/inside.ts";
import type { EventHub } from "./eventHub.ts";
import type { RunShelf } from "./runShelf.ts";

/** So often somebody looks, in milliseconds: on a folder of a network nobody is told of what changes. */
const pace = 2000;

/** Of the jobs that are under way, or have failed, so many are told. */
const mostTold = 50;

export class Sweeps {
  readonly #all: readonly (readonly [id: string, folder: SweepFolder])[];
  readonly #shelf: RunShelf;
  readonly #hub: EventHub;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** What was seen last: all of it, and how many runs there are. */
  #seen = { all: "", runs: "" };

  constructor(folders: readonly SweepFolder[], { shelf, hub }: { readonly shelf: RunShelf; readonly hub: EventHub }) {
    this.#all = folders.map((folder, i) => [`sweep-${i + 1}`, folder]);
    this.#shelf = shelf;
    this.#hub = hub;
    if (folders.length > 0) this.#lookLater();
  }

  async list(): Promise<Sweep[]> {
    const found = await Promise.all(
      this.#all.map(async ([id, folder]) => this.#told(id, folder, await folder.state())),
    );
    const seen = { all: JSON.stringify(found), runs: String(found.map(({ done }) => done)) };
    if (seen.all !== this.#seen.all) this.#hub.tell({ kind: "sweeps" });
    if (seen.runs !== this.#seen.runs) this.#hub.tell({ kind: "runs" });
    this.#seen = seen;
    return found;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #told(id: string, folder: SweepFolder, state: SweepState): Sweep {
    const { jobs, done, waiting, underWay, failed, best, problem } = state;
    const told = (said: SweepState["failed"]) => ({ count: said.length, jobs: said.slice(0, mostTold) });
    return {
      ...{ id, name: folder.name, jobs, done, waiting, underWay: told(underWay), failed: told(failed) },
      ...(best && {
        best: { name: best.job, clusters: best.clusters, run: this.#shelf.idOf(folder.runOf(best.job)) },
      }),
      ...(problem !== undefined && { problem }),
    };
  }

  #lookLater(): void {
    this.#timer = setTimeout(async () => {
      if (this.#hub.isHeard) await this.list();
      if (!this.#isClosed) this.#lookLater();
    }, pace).unref();
  }
}
