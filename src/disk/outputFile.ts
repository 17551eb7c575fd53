/**
 * A file that somebody has named for what comes out: refused before any work where it cannot be written, one writer at
 * a time, and whole or not at all.
 */

import { rm, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { cannotWrite } from "./cannotWrite.ts";
import { Lock } from "./lock.ts";
import { makeFolder, partOf, putInPlace, removeEmpty, removeLeftParts, syncFile, writeNewFile } from "./writeWhole.ts";

export interface ClaimOptions {
  /** Whether a file that is there may be replaced. */
  readonly force?: boolean;
  /** Files that are read, and must not be replaced by what is made of them. */
  readonly read?: readonly string[];
}

/** This process is the only one that writes the file; the folders above it are there. */
export class OutputLock {
  readonly #lock: Lock;
  readonly #made: readonly string[];

  private constructor(lock: Lock, made: readonly string[]) {
    this.#lock = lock;
    this.#made = made;
  }

  static async take(path: string): Promise<OutputLock> {
    let made: readonly string[] = [];
    const lock = Lock.ofFile(path);
    try {
      made = await makeFolder(dirname(resolve(path)));
      await lock.take();
    } catch (error) {
      await removeEmpty(made);
      throw error instanceof RangeError ? error : cannotWrite(path, error);
    }
    return new OutputLock(lock, made);
  }

  /** Folders that are new and in which nothing is left are gone. */
  async release(): Promise<void> {
    await this.#lock.release();
    await removeEmpty(this.#made);
  }
}

export class OutputFile {
  readonly path: string;
  /** Where it is written, until it is whole: a name that only "wx" may open. */
  readonly part: string;
  readonly #lock: OutputLock | undefined;
  readonly #whole: ((part: string) => Promise<void>) | undefined;

  /** A place that is this process's own already; `whole` is called once what is to take it is on the disk. */
  constructor(path: string, { lock, whole }: { lock?: OutputLock; whole?: (part: string) => Promise<void> } = {}) {
    this.path = path;
    this.part = partOf(path);
    this.#lock = lock;
    this.#whole = whole;
  }

  /** Makes this process the only one that writes the file, or says why it cannot be written. */
  static async claim(path: string, options: ClaimOptions = {}): Promise<OutputFile> {
    await checkPlace(path, options);
    const lock = await OutputLock.take(path);
    try {
      // Whoever had the lock before may just have written it.
      await checkPlace(path, options);
      await removeLeftParts(dirname(resolve(path)), `${basename(path)}.`);
    } catch (error) {
      await lock.release();
      throw error;
    }
    return new OutputFile(path, { lock });
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeNewFile(this.part, bytes).catch((error) => {
      throw cannotWrite(this.path, error);
    });
  }

  /** What was written takes its place. */
  put(): Promise<void> {
    return OutputFile.putAll([this]);
  }

  /** Several that belong together: none takes its place before all of them are on the disk. */
  static async putAll(files: readonly OutputFile[]): Promise<void> {
    for (const file of files) await file.#prepare();
    await putInPlace(new Map(files.map(({ path, part }) => [path, part]))).catch((error) => {
      throw cannotWrite(files[0]!.path, error);
    });
  }

  async #prepare(): Promise<void> {
    try {
      await syncFile(this.part);
      await this.#whole?.(this.part);
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }

  /** Lets others write it. What has not been put into its place is gone. */
  async release(): Promise<void> {
    await rm(this.part, { force: true }).catch(() => {});
    await this.#lock?.release();
  }
}

/** Whether a file may be written to a place, as far as can be seen without writing. */
async function checkPlace(path: string, { force = false, read = [] }: ClaimOptions): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (!there) return;
  if (there.isDirectory()) throw new RangeError(`${path}: is a folder; name a file`);
  // A device or a pipe would be replaced by a file.
  if (!there.isFile()) throw new RangeError(`${path}: is no plain file; name one`);
  if (!force) {
    throw new RangeError(`${path}: is there already; choose another file, or replace it with --force (force: true)`);
  }
  for (const source of read) {
    const other = await stat(source).catch(() => undefined);
    if (other && other.dev === there.dev && other.ino === there.ino) {
      throw new RangeError(`${path}: is ${source}, which is read; choose another file`);
    }
  }
}
