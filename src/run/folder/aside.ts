/**
 * A run that is being replaced lies in `.replaced` in its folder until the new one is whole. Files are only renamed:
 *
 *   run.json | .replaced/run.json | what it means
 *   old      | –                  | the old run, whole
 *   –        | old                | on the way there or back: the old run is put back
 *   new      | old                | the new run is under way and can be resumed, or is done and the old one goes
 *
 * run.json leaves first and comes back last, so that a process that ends at any moment leaves one of these.
 */

import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isThere } from "../../disk/isThere.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { removeLeftParts, syncFolder, writeWhole } from "../../disk/writeWhole.ts";
import { parseJson } from "../../formats/json.ts";
import { asideFolder, isRunFile, removeFiles, runFolders, sortedFiles, unfinishedDescriptions } from "./runFiles.ts";

/** Which files were moved, or were about to be. */
const list = "moved.json";
const longestList = 2 ** 24;

export class Aside {
  readonly #run: string;
  readonly #path: string;

  constructor(run: string) {
    this.#run = run;
    this.#path = join(run, asideFolder);
  }

  /** Whether something lies there, and whether it is a run. */
  async state(): Promise<"nothing" | "leftovers" | "a run"> {
    if (!(await isThere(this.#path))) return "nothing";
    return (await isThere(join(this.#path, "run.json"))) ? "a run" : "leftovers";
  }

  /** Moves the files of the run here. */
  async take(names: readonly string[]): Promise<void> {
    await writeWhole(join(this.#path, list), new TextEncoder().encode(`${JSON.stringify(names)}\n`));
    for (const name of ["run.json", ...names.filter((name) => name !== "run.json")]) {
      await move(join(this.#run, name), join(this.#path, name));
    }
    await removeFiles(this.#run, []);
    await this.#sync();
  }

  /** Removes what was to take the run's place, and puts the run back. */
  async putBack(): Promise<void> {
    const moved = await this.#moved();
    const isAway = new Map<string, boolean>();
    for (const name of moved) isAway.set(name, await isThere(join(this.#path, name)));
    // What was to be moved and is not away has not left yet, or is back already.
    const { ours } = await sortedFiles(this.#run);
    await removeFiles(
      this.#run,
      ours.filter((name) => isAway.get(name) ?? true),
    );
    for (const name of [...moved.filter((name) => name !== "run.json"), "run.json"]) {
      const to = join(this.#run, name);
      // Somebody's own stays.
      if (isAway.get(name) && !(await isThere(to))) await move(join(this.#path, name), to);
    }
    await this.#sync();
    for (const name of await unfinishedDescriptions(this.#run)) await rm(join(this.#run, name), { force: true });
    await this.drop();
  }

  /** Removes what lies here, but for what is somebody's own. */
  async drop(): Promise<void> {
    await removeFiles(this.#path, await this.#moved());
    await rm(join(this.#path, list), { force: true });
    await removeLeftParts(this.#path);
    await rmdir(this.#path).catch(() => {});
  }

  async #moved(): Promise<readonly string[]> {
    try {
      const names: unknown = parseJson(
        new TextDecoder().decode(await readRegular(join(this.#path, list), longestList)),
      );
      return Array.isArray(names) ? names.filter((name) => typeof name === "string" && isRunFile(name)) : [];
    } catch {
      return [];
    }
  }

  async #sync(): Promise<void> {
    for (const folder of [this.#run, this.#path]) {
      for (const place of ["", ...runFolders]) await syncFolder(join(folder, place));
    }
  }
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rename(from, to);
}
