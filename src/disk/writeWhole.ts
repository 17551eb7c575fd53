/** Files that are written whole or not at all. */

import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isAlive } from "./lock.ts";

/** A folder and those above it. Node's own way never ends where there can be none, such as below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const made = async (): Promise<NodeJS.ErrnoException | undefined> =>
    mkdir(path).then(
      () => undefined,
      (error) => error,
    );
  let error = await made();
  if (error?.code === "ENOENT" && dirname(path) !== path) {
    await makeFolder(dirname(path));
    error = await made();
  }
  if (error && !(error.code === "EEXIST" && (await stat(path)).isDirectory())) throw error;
}

/**
 * A name beside a file for what is not whole yet. No other process has it, and nobody can have put a link there:
 * whoever opens it must ask for a new file ("wx").
 */
export function partOf(file: string): string {
  return `${file}.${process.pid}-${randomBytes(6).toString("hex")}.part`;
}

/** Of a file's name, the process that has not finished it; nothing for any other name. */
export function writerOfPart(name: string): number | undefined {
  const [, writer] = /\.(\d+)-[0-9a-f]{12}\.part$/.exec(name) ?? [];
  return writer === undefined ? undefined : Number(writer);
}

/** What processes that are gone have left unfinished in a folder, of one file or of any. */
export async function removeLeftParts(folder: string, of = ""): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = writerOfPart(name);
    if (writer === undefined || !name.startsWith(of) || isAlive(writer)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/**
 * To a file beside it, onto the disk, and only then into its place: whoever reads finds the old file or the new one.
 */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  const temporary = partOf(file);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What to say where a file or a folder cannot be written. */
export function cannotWrite(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = { ENOSPC: "the disk is full", EACCES: "not allowed", EROFS: "the disk is read-only" }[code ?? ""];
  return new Error(`${path}: cannot be written (${why ?? code ?? message})`);
}
