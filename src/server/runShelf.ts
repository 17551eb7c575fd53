/** The runs that the server was given, by ids that it makes: nothing else on the disk can be named. */

import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RunBrief } from "../api/runs.ts";
import { openRun, RunFolder, type SweepFolder } from "../doors/inside.ts";
import { OpenedRun } from "./openedRun.ts";
import { notFound, Refused } from "./refused.ts";
import { runStamp } from "./runStamp.ts";

/** So many runs stay open; the one that nobody has looked at for longest is put away. */
const mostOpen = 4;

/** Folders that are runs, folders of runs, and sweeps. */
interface Shelved {
  readonly runs?: readonly string[];
  readonly folders?: readonly string[];
  readonly sweeps?: readonly SweepFolder[];
}

export class RunShelf {
  readonly #runs: readonly string[];
  readonly #folders: readonly string[];
  readonly #sweeps: readonly SweepFolder[];
  /** Folders that are runs as soon as somebody has begun to write them. */
  readonly #made = new Set<string>();
  readonly #ids = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  /** The last one that was looked at is the last. */
  readonly #open = new Map<string, Promise<OpenedRun>>();
  /** What their files looked like when they were opened. */
  readonly #stamps = new Map<string, Promise<string>>();
  /** Answers that are under way, and runs that are put away once they are given. */
  readonly #answering = new Set<Promise<unknown>>();
  readonly #closing = new Set<Promise<void>>();

  constructor({ runs = [], folders = [], sweeps = [] }: Shelved = {}) {
    this.#runs = runs.map((path) => resolve(path));
    this.#folders = folders.map((path) => resolve(path));
    this.#sweeps = sweeps;
  }

  /** Every run that is there now, the newest first. */
  async list(isAtWork: (path: string) => boolean = () => false): Promise<RunBrief[]> {
    const found = await Promise.all((await this.#found()).map((path) => this.#brief(path, isAtWork(path))));
    return found.sort(
      (one, other) => (other.created ?? "").localeCompare(one.created ?? "") || one.name.localeCompare(other.name),
    );
  }

  /** A run by its id, as it is now: whoever begins to look at it sees what another process has changed. */
  async getNow(id: string): Promise<OpenedRun> {
    const stamp = await runStamp(await this.pathOf(id));
    if (this.#open.has(id) && (await this.#stamps.get(id)) !== stamp) await this.forget(id);
    return this.get(id);
  }

  /** A run by its id. */
  async get(id: string): Promise<OpenedRun> {
    const path = await this.pathOf(id);
    const known = this.#open.get(id);
    if (!known) this.#stamps.set(id, runStamp(path));
    this.#open.delete(id);
    const opened = known ?? openRun(path).then((run) => new OpenedRun(run));
    this.#open.set(id, opened);
    opened.catch(() => this.#open.delete(id));
    for (const oldest of [...this.#open.keys()].slice(0, -mostOpen)) await this.forget(oldest);
    return opened.catch((error: Error) => {
      throw new Refused(409, error.message);
    });
  }

  /** Gives an answer: whatever run it looks at stays open until it is given. */
  async during<T>(answer: () => Promise<T>): Promise<T> {
    const answering = answer();
    this.#answering.add(answering);
    try {
      return await answering;
    } finally {
      this.#answering.delete(answering);
    }
  }

  /** It has changed, or nobody looks at it: it is read anew when somebody asks. */
  async forget(id: string): Promise<void> {
    const opened = this.#open.get(id);
    this.#open.delete(id);
    if (!opened) return;
    const closing = Promise.allSettled(this.#answering).then(async () =>
      (await opened.catch(() => undefined))?.close(),
    );
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  /** A run that is made here, whether its folder is one of those that were given or not. */
  expect(path: string): void {
    this.#made.add(path);
  }

  /** A run that another process has found, by the id that it has there. */
  adopt(id: string, path: string): void {
    this.#ids.set(path, id);
    this.#paths.set(id, path);
  }

  /** Where the run of an id lies. */
  async pathOf(id: string): Promise<string> {
    if (!this.#paths.has(id)) await this.#found();
    const path = this.#paths.get(id);
    if (path === undefined) throw notFound("such run");
    return path;
  }

  /** The id of a folder, made from its name. */
  idOf(path: string): string {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const name = new RunFolder(path).name
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40);
    let id = name || "run";
    for (let i = 2; this.#paths.has(id); i++) id = `${name || "run"}-${i}`;
    this.#ids.set(path, id);
    this.#paths.set(id, path);
    return id;
  }

  async close(): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.forget(id);
    await Promise.all(this.#closing);
  }

  async #found(): Promise<string[]> {
    const inFolders = await Promise.all(this.#folders.map((folder) => runsIn(folder)));
    const inSweeps = await Promise.all(this.#sweeps.map((sweep) => sweep.runs()));
    const made = await Promise.all([...this.#made].map(async (path) => ((await isRun(path)) ? [path] : [])));
    const paths = [...new Set([...this.#runs, ...inFolders.flat(), ...inSweeps.flat(), ...made.flat()])];
    for (const path of paths) this.idOf(path);
    return paths;
  }

  async #brief(path: string, isAtWork: boolean): Promise<RunBrief> {
    const folder = new RunFolder(path);
    const bare = { id: this.idOf(path), name: folder.name };
    try {
      const { status, source, settings, created, result } = await folder.description();
      if (source.name === "memory" && source.path === undefined) {
        return {
          ...bare,
          state: "broken",
          problem: "is a model that was saved without its rows: there is nothing to look at",
        };
      }
      const known = { ...bare, method: settings.method, rows: source.rows, created };
      if (status !== "done" || !result || result.unfinished)
        return { ...known, state: isAtWork ? "training" : "stopped" };
      const { curated } = await openRun(path);
      return { ...known, state: "done", clusters: curated?.description.names.length ?? result.plan.clusters };
    } catch (error) {
      return { ...bare, state: "broken", problem: (error as Error).message };
    }
  }
}

/** The runs in a folder, one level deep. */
export async function runsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => ((await isRun(join(folder, name))) ? [join(folder, name)] : [])),
  );
  return found.flat();
}

/** Whether a folder says that it is a run. */
export async function isRun(path: string): Promise<boolean> {
  const names = await readdir(path).catch((): string[] => []);
  return names.includes("run.json");
}
