/** A run is a folder of plain files. `run.json` is written last and decides: what it says is there is there, whole. */

import { constants, open, readdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cannotWrite } from "../../disk/cannotWrite.ts";
import { isThere } from "../../disk/isThere.ts";
import { Lock } from "../../disk/lock.ts";
import { OutputFile } from "../../disk/outputFile.ts";
import { type CannotRead, cannotRead, readRegular } from "../../disk/regularFile.ts";
import { sha256, sha256OfFile } from "../../disk/sha256.ts";
import {
  makeFolder,
  partOf,
  putInPlace,
  removeEmpty,
  removeLeftParts,
  writeAllWhole,
  writeNewFile,
  writeWhole,
} from "../../disk/writeWhole.ts";
import type { Schema } from "../../formats/schema.ts";
import { memoryLimit } from "../../tensor/budget.ts";
import { Aside } from "./aside.ts";
import {
  checkPlain,
  checkpoints,
  isAsWritten,
  isListed,
  isPassing,
  NotAsWritten,
  removeCheckpoint,
  removeFiles,
  runFolders,
  sortedFiles,
  unfinishedDescriptions,
} from "./runFiles.ts";
import { damaged, describedIn, parsed } from "./runJson.ts";
import type { RunDescription } from "./schemas/runDescription.ts";
import { sealedIn, sealedText } from "./sealed.ts";

export { damaged } from "./runJson.ts";

/** The content of files by their names in the folder. */
export type RunContent = ReadonlyMap<string, Uint8Array | string>;

/** Lines that are added to a file one by one. */
export interface Lines {
  add(line: string): Promise<void>;
  close(): Promise<void>;
}

export class RunFolder {
  readonly path: string;
  readonly #lock: Lock;
  readonly #aside: Aside;
  /** What was not there before this process came. */
  #made: readonly string[] = [];
  /** Whether this process has begun a run here, and whether it is to replace another. */
  #begun: "new" | "replacing" | undefined;
  /** What run.json says, where it is ours, and the hashes that it lists. */
  #described: object | undefined;
  readonly #hashes = new Map<string, readonly string[]>();
  /** Names that are this process's own: nothing of anybody else's is behind them. */
  readonly #own = new Set<string>();

  constructor(path: string) {
    this.path = path;
    this.#lock = new Lock(path);
    this.#aside = new Aside(path);
  }

  /** What people call the run. */
  get name(): string {
    return basename(resolve(this.path));
  }

  file(...names: string[]): string {
    return join(this.path, ...names);
  }

  /**
   * A folder for a new run, and this process its only writer; refused where it has files, unless they are a run's and
   * it may be replaced. Nothing of it changes before the new run begins.
   */
  static async create(path: string, { force = false }: { force?: boolean } = {}): Promise<RunFolder> {
    const folder = new RunFolder(path);
    await folder.#checkEmpty(force);
    folder.#made = await makeFolder(path).catch((error) => {
      throw cannotWrite(path, error);
    });
    try {
      await folder.lock();
      await folder.#checkEmpty(force);
      await folder.#replaceable();
      folder.#forget();
    } catch (error) {
      await folder.unlock();
      throw error;
    }
    return folder;
  }

  /** Refuses a folder that has files, unless they are a run's and it may be replaced. */
  async #checkEmpty(force: boolean): Promise<void> {
    if (await this.#isLeftInTheMiddle()) await this.#settle();
    const there = (await entries(this.path)).filter((name) => !isPassing(name));
    if (there.length === 0) return;
    if (!there.includes("run.json")) {
      throw new RangeError(
        `${this.path}: has files and is no run of Telltale, so that it is not replaced; choose another folder`,
      );
    }
    if (!force) {
      throw new RangeError(
        `${this.path}: is there already; choose another folder, or replace it with --force (force: true)`,
      );
    }
  }

  /** The files of the run that is there, which may go; refused where any of them is not as the run has written it. */
  async #replaceable(): Promise<readonly string[]> {
    if (!(await isThere(this.file("run.json")))) return [];
    await this.description().catch((error: Error) => {
      throw new RangeError(`${error.message}. What is no run of Telltale is not replaced; choose another folder`);
    });
    const { ours, changed, isRun } = await sortedFiles(this.path);
    if (!isRun) {
      throw new RangeError(
        `${this.path}: its run.json is not as Telltale wrote it, or does not belong to the files beside it; what is no run of Telltale is not replaced; choose another folder`,
      );
    }
    if (changed.length === 0) return ours;
    throw new RangeError(
      `${this.path}: ${changed.slice(0, 5).join(", ")} ${changed.length === 1 ? "is" : "are"} not as the run has written ${changed.length === 1 ? "it" : "them"}, and would be lost; move what is yours, or choose another folder`,
    );
  }

  /**
   * Makes it the folder of a new run, with these files. The old one is kept aside until the new one is whole; what no
   * run has written stays where it is.
   */
  async begin(description: RunDescription, content: RunContent = new Map()): Promise<void> {
    const old = await this.#replaceable();
    this.#begun = old.length > 0 ? "replacing" : "new";
    try {
      if (old.length > 0) {
        // Of two, the one that lies aside is whole: a half-made one that was to take its place is given up.
        if ((await this.#aside.state()) === "a run") await this.#clear(old);
        else await this.#aside.take(old);
      }
      this.#forget();
      const files = encoded(content);
      for (const [name, bytes] of files) this.#list(name, () => sha256(bytes));
      // It lists what is about to be written: should this process end, the next one knows whose that is.
      const part = partOf(this.file("run.json"));
      await writeNewFile(part, new TextEncoder().encode(sealedText(description, this.#listed())));
      await writeAllWhole(this.#at(files));
      await putInPlace(new Map([[this.file("run.json"), part]]));
      this.#described = description;
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }

  /** The new run is whole: the one that it replaces goes. What cannot be removed now is removed by the next writer. */
  async finish(): Promise<void> {
    this.#begun = undefined;
    await removeCheckpoint(this.path).catch(() => {});
    await this.#aside.drop().catch(() => {});
  }

  /** Takes back what this process has begun here: the old run is there again, or nothing is. */
  async discard(): Promise<void> {
    const begun = this.#begun;
    this.#begun = undefined;
    // Whatever fails here is put right by whoever opens the folder next.
    try {
      if (begun === "new") await this.#clear((await sortedFiles(this.path)).ours);
      if (begun !== "replacing") return;
      // Where it does not lie aside, the old run has not left its place.
      if ((await this.#aside.state()) === "a run") {
        await this.#hideDescription();
        await this.#aside.putBack();
      } else await this.#aside.drop();
    } catch {}
  }

  /** Removes the files of a run that is given up. */
  async #clear(names: readonly string[]): Promise<void> {
    await this.#hideDescription();
    await removeFiles(
      this.path,
      names.filter((name) => name !== "run.json"),
    );
    for (const name of await unfinishedDescriptions(this.path)) await rm(this.file(name), { force: true });
  }

  /** Without run.json there is no run; what it lists is still known. */
  async #hideDescription(): Promise<void> {
    const file = this.file("run.json");
    if (await isThere(file)) await rename(file, partOf(file));
  }

  /** Makes this process the only writer, and puts right what another has left in the middle. */
  async lock(): Promise<void> {
    await this.#lock.take().catch((error) => {
      throw error instanceof RangeError ? error : cannotWrite(this.path, error);
    });
    try {
      await checkPlain(this.path);
      await this.#putRight();
      for (const place of ["", ...runFolders]) await removeLeftParts(this.file(place));
      this.#forget();
      const sealed = sealedIn(textOf(await this.#read("run.json", mostText()).catch(() => new Uint8Array(0))));
      if (!sealed) return;
      this.#described = sealed.description;
      for (const [name, hashes] of Object.entries(sealed.files)) this.#hashes.set(name, hashes);
    } catch (error) {
      await this.#lock.release();
      throw error instanceof RangeError ? error : cannotWrite(this.path, error);
    }
  }

  /** A folder that is new and in which nothing is left is gone. */
  async unlock(): Promise<void> {
    await this.#lock.release();
    await removeEmpty(this.#made);
    this.#made = [];
  }

  /** What was replaced comes back where the new run has not begun, and goes where that is done. */
  async #putRight(): Promise<void> {
    const aside = await this.#aside.state();
    if (!(await isThere(this.file("run.json")))) {
      if (aside === "a run") await this.#aside.putBack();
      else if ((await unfinishedDescriptions(this.path)).length > 0) {
        await this.#clear((await sortedFiles(this.path)).ours);
      }
    }
    if (aside === "nothing") return;
    const { status } = await this.#readDescription().catch(() => ({ status: "training" }));
    if ((await this.#aside.state()) === "leftovers" || status === "done") await this.#aside.drop();
  }

  /** Whether a process was ended, or still is at it, between an old run and a new one. */
  async #isLeftInTheMiddle(): Promise<boolean> {
    if (await isThere(this.file("run.json"))) return false;
    return (await this.#aside.state()) === "a run" || (await unfinishedDescriptions(this.path)).length > 0;
  }

  /** Puts it right for whoever only reads: waits for a writer that is still at it. */
  async #settle(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.lock();
        return await this.unlock();
      } catch (error) {
        if (await isThere(this.file("run.json"))) return;
        if (!(error instanceof RangeError) || attempt === 50) throw error;
        await wait(100);
      }
    }
  }

  /** Whether a training can go on from where it was. */
  async hasCheckpoint(): Promise<boolean> {
    const found = await Promise.all(checkpoints.map((name) => isThere(this.file(name))));
    return found.includes(true);
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await this.writeAll(new Map([[name, content]]));
  }

  /** Several files, none of which is put into its place before all are on the disk. */
  async writeAll(content: RunContent): Promise<void> {
    const files = encoded(content);
    await this.checkOurs(...files.keys());
    try {
      await this.#announce([...files].map(([name, bytes]) => this.#list(name, () => sha256(bytes))));
      await writeAllWhole(this.#at(files));
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }

  /** A file of the run that is too long to be written at once. */
  output(name: string): OutputFile {
    const whole = async (part: string): Promise<void> => {
      await this.checkOurs(name);
      const hash = await sha256OfFile(part);
      await this.#announce([this.#list(name, () => hash)]);
    };
    return new OutputFile(this.file(name), { whole });
  }

  /** Refuses to replace what has the name of a file of the run and is not as the run has written it. */
  async checkOurs(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (this.#own.has(name)) continue;
      if ((await isThere(this.file(name))) && !(await isAsWritten(this.path, name))) {
        throw new NotAsWritten(this.path, name);
      }
      this.#own.add(name);
    }
  }

  /** Adds to a file: a copy of it, so that nothing else that goes by the name of the old one changes. */
  async appending(name: string): Promise<Lines> {
    const file = this.file(name);
    const failing = (error: unknown): never => {
      throw cannotWrite(file, error);
    };
    await writeWhole(file, await this.#read(name, mostBytes()).catch(() => new Uint8Array(0))).catch(failing);
    const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)).catch(
      failing,
    );
    return { add: (line) => handle.appendFile(line).catch(failing), close: () => handle.close() };
  }

  async describe(description: RunDescription): Promise<void> {
    this.#described = description;
    for (const [name, hashes] of this.#hashes) this.#hashes.set(name, hashes.slice(-1));
    await this.#writeDescription().catch((error) => {
      throw cannotWrite(this.path, error);
    });
  }

  /** Before a file is put into its place, run.json lists its hash beside that of the one which is there. */
  async #announce(news: readonly boolean[]): Promise<void> {
    if (news.includes(true) && this.#described) await this.#writeDescription();
  }

  /** Whether that is news. */
  #list(name: string, hash: () => string): boolean {
    if (!isListed(name)) return false;
    const [known, now] = [this.#hashes.get(name) ?? [], hash()];
    this.#hashes.set(name, [...known.filter((hash) => hash !== now), now].slice(-2));
    return !known.includes(now);
  }

  #listed(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#hashes);
  }

  #at(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
    return new Map([...files].map(([name, bytes]) => [this.file(name), bytes]));
  }

  #forget(): void {
    this.#described = undefined;
    this.#hashes.clear();
    this.#own.clear();
  }

  async #writeDescription(): Promise<void> {
    const text = sealedText(this.#described!, this.#listed());
    await writeWhole(this.file("run.json"), new TextEncoder().encode(text));
  }

  async description(): Promise<RunDescription> {
    if ((await this.#aside.state()) !== "nothing") await this.#settle();
    return this.#readDescription();
  }

  async #readDescription(): Promise<RunDescription> {
    const bytes = await this.#read("run.json", mostText()).catch((error: CannotRead) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") {
        throw new RangeError(`${this.path}: is no run of Telltale (it has no run.json); make one with telltale fit`);
      }
      throw new RangeError(`${this.path}: ${error.message}`);
    });
    return describedIn(this.path, textOf(bytes));
  }

  async json<T>(name: string, schema: Schema<T>): Promise<T> {
    return parsed(this.path, name, await this.#text(name), schema);
  }

  /** JSON lines; a last one that was cut off is none. */
  async lines<T>(name: string, schema: Schema<T>): Promise<T[]> {
    const lines = (await this.#text(name)).split("\n").slice(0, -1);
    return lines.map((line, i) => parsed(this.path, `line ${i + 1} of ${name}`, line, schema));
  }

  async #text(name: string): Promise<string> {
    return textOf(await this.bytes(name, mostText()));
  }

  async bytes(name: string, most = mostBytes()): Promise<Uint8Array> {
    return this.#read(name, most).catch((error) => {
      throw damaged(this.path, name, error);
    });
  }

  #read(name: string, most: number): Promise<Uint8Array> {
    return readRegular(this.file(name), most, name);
  }
}

/** Of a file in a folder that may come from anybody: its bytes, the tensors in them, and a copy of those. */
function mostBytes(): number {
  return Math.min(2 ** 31, memoryLimit() / 4);
}

/** Text takes more once it is numbers and names, and none may be longer than this. */
function mostText(): number {
  return Math.min(2 ** 29 - 32, memoryLimit() / 12);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encoded(content: RunContent): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  return new Map([...content].map(([name, each]) => [name, typeof each === "string" ? encoder.encode(each) : each]));
}

async function entries(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR") throw new RangeError(`${path}: is a file, not a folder`);
    throw cannotRead(path, error);
  });
}
