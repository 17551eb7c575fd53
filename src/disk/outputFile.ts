/**
 * A file that somebody has named for what comes out: refused before any work where it cannot be written, one writer at
 * a time, and whole or not at all.
 */

import type { Stats } from "node:fs";
import { realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { cannotWrite } from "./cannotWrite.ts";
import { Lock } from "./lock.ts";
import { makeFolder, partOf, putInPlace, removeEmpty, removeLeftParts, syncFile, writeNewFile } from "./writeWhole.ts";

export interface ClaimOptions {
  /** Whether a file that is there may be replaced. */
  readonly force?: boolean;
  /** Files, folders of them or patterns (*.csv) that are read, and must not be replaced by what is made of them. */
  readonly read?: readonly string[];
  /** Called once what is to take its place is on the disk. */
  readonly whole?: (part: string) => Promise<void>;
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

  /** A place that is this process's own already. */
  constructor(path: string, { lock, whole }: { lock?: OutputLock } & Pick<ClaimOptions, "whole"> = {}) {
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
    return new OutputFile(path, { lock, ...(options.whole && { whole: options.whole }) });
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
      throw error instanceof RangeError ? error : cannotWrite(this.path, error);
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
    const how = await howRead(source, path, there);
    if (how) throw new RangeError(`${path}: ${how} ${source}, which is read; choose another file`);
  }
}

/** How a file that is there belongs to what is read. */
async function howRead(source: string, path: string, there: Stats): Promise<string | undefined> {
  const other = await stat(source).catch(() => undefined);
  if (!other) return patternOf(resolve(source)).test(resolve(path)) ? "is one of" : undefined;
  if (!other.isDirectory()) return other.dev === there.dev && other.ino === there.ino ? "is" : undefined;
  const below = relative(await realpath(source), await realpath(path));
  return below.startsWith("..") || isAbsolute(below) ? undefined : "lies in";
}

/** The paths that a pattern stands for: ** any, * and ? none of another folder. */
function patternOf(pattern: string): RegExp {
  const parts: Readonly<Record<string, string>> = { "**": ".*", "*": "[^/\\\\]*", "?": "[^/\\\\]" };
  const text = pattern.replaceAll(/\*\*|\[[^\]]+\]|[.*+?^${}()|[\]\\]/g, (found) =>
    found.length > 2 ? parts["?"]! : (parts[found] ?? `\\${found}`),
  );
  return new RegExp(`^${text}$`, "s");
}
