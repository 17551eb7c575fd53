/**
 * What was named on the command line, and everything that is answered about it, however it is asked: by the page, by a
 * script, or by an agent.
 */

import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Handlers } from "../api/handlers.ts";
import { devices, findDevice, SweepFolder } from "../doors/inside.ts";
import { version } from "../version.ts";
import { fitAnswers } from "./answers/fits.ts";
import { rowAnswers } from "./answers/rows.ts";
import { runAnswers } from "./answers/runs.ts";
import { Desk } from "./desk/desk.ts";
import { EventHub } from "./eventHub.ts";
import { FitQueue } from "./fits/fitQueue.ts";
import { isRun, RunShelf, runsIn } from "./runShelf.ts";
import { Sources } from "./sources.ts";
import { Sweeps } from "./sweeps.ts";

export interface GivenOptions {
  /** Runs, folders of runs, sweeps, and data files. */
  readonly paths: readonly string[];
  /** Where new runs are written: the first folder of runs, or `runs`, unless told. */
  readonly out?: string;
  /** Whether of the folder for new runs only those made here are seen, where nobody has named it. */
  readonly onlyNamed?: boolean;
  /** Bytes of an upload at most. */
  readonly mostUploaded?: number;
}

export interface Given {
  readonly shelf: RunShelf;
  readonly sources: Sources;
  readonly sweeps: Sweeps;
  readonly hub: EventHub;
  /** Where what is made here is written. */
  readonly folder: string;
  /** One for each route, but for those that are HTTP's own. */
  readonly answers: Omit<Handlers, "session" | "openapi">;
  /** Whether a file is one of those that were named, or lies in a folder that was. */
  includes(path: string): Promise<boolean>;
  /** Stops fits at the next safe moment, and leaves nothing behind. */
  close(): Promise<void>;
}

export async function openGiven({ paths, out, onlyNamed = false, mostUploaded }: GivenOptions): Promise<Given> {
  const { runs, folders, sweeps: swept, files } = await sorted(paths);
  const folder = resolve(out ?? folders[0] ?? "runs");
  const isOpen = !onlyNamed || out !== undefined || paths.length === 0;
  const shelf = new RunShelf({ runs, folders: [...new Set([...folders, ...(isOpen ? [folder] : [])])], sweeps: swept });
  const hub = new EventHub();
  const desk = new Desk({ shelf, hub });
  const fits = new FitQueue({ hub, shelf, out: folder });
  const sweeps = new Sweeps(swept, { shelf, hub });
  const sources = new Sources(files, join(folder, "uploads"), mostUploaded);
  return {
    ...{ shelf, sources, sweeps, hub, folder },
    answers: whileOpen(shelf, {
      ...runAnswers(shelf, (path) => fits.isAtWork(path)),
      ...rowAnswers(shelf),
      ...desk.answers(),
      ...fitAnswers({ shelf, sources, fits }),
      sweeps: () => sweeps.list(),
      server: async () => ({ version, canFit: true, device: (await findDevice(devices)).description, folder }),
      events: async ({ lastEvent }) => hub.listen(lastEvent),
    }),
    async includes(path) {
      const found = await realpath(path).catch(() => undefined);
      if (found === undefined) return false;
      const all = [...paths, ...(isOpen ? [folder] : [])];
      const named = await Promise.all(all.map((each) => realpath(each).catch(() => undefined)));
      return named.some((each) => each !== undefined && (found === each || found.startsWith(withEnd(each))));
    },
    async close() {
      hub.close();
      sweeps.close();
      await fits.close();
      await desk.close();
      await shelf.close();
    },
  };
}

/** Each with the runs that it looks at kept open. */
function whileOpen<H extends object>(shelf: RunShelf, handlers: H): H {
  const held = Object.entries(handlers).map(([name, handler]) => [
    name,
    (asked: never) => shelf.during<unknown>(() => (handler as (asked: never) => Promise<unknown>)(asked)),
  ]);
  return Object.fromEntries(held) as H;
}

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

/** What each path is. */
async function sorted(paths: readonly string[]) {
  const found = {
    runs: [] as string[],
    folders: [] as string[],
    sweeps: [] as SweepFolder[],
    files: [] as { path: string; kind: "file" | "folder" }[],
  };
  for (const path of paths) {
    const there = await stat(path).catch(() => undefined);
    if (!there)
      throw new RangeError(
        `${path}: there is no such file or folder; name a run, a folder of runs, a sweep, or a data file`,
      );
    if (!there.isDirectory()) found.files.push({ path, kind: "file" });
    else if (await isRun(path)) found.runs.push(path);
    else if (await SweepFolder.isOne(path)) found.sweeps.push(new SweepFolder(path));
    else if ((await runsIn(path)).length > 0 || (await isEmpty(path))) found.folders.push(path);
    else found.files.push({ path, kind: "folder" });
  }
  return found;
}

async function isEmpty(path: string): Promise<boolean> {
  return (await readdir(path)).length === 0;
}
