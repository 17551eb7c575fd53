/** Files that are written whole or not at all. */

import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isAlive } from "./isAlive.ts";

/**
 * A folder and those above it; gives those that are new. Node's own way never ends where there can be none, such as
 * below /proc.
 */
export async function makeFolder(path: string): Promise<string[]> {
  const made = async (): Promise<NodeJS.ErrnoException | undefined> =>
    mkdir(path).then(
      () => undefined,
      (error) => error,
    );
  let above: string[] = [];
  let error = await made();
  if (error?.code === "ENOENT" && dirname(path) !== path) {
    above = await makeFolder(dirname(path));
    error = await made();
  }
  if (!error) return [...above, path];
  if (error.code !== "EEXIST") throw error;
  if ((await stat(path)).isDirectory()) return above;
  throw Object.assign(new Error(`${path}: is a file, not a folder`), { code: "ENOTDIR" });
}

/** Takes folders back in which nothing is, the innermost first. */
export async function removeEmpty(made: readonly string[]): Promise<void> {
  for (const folder of made.toReversed()) await rmdir(folder).catch(() => {});
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
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const { name } = entry;
    const writer = writerOfPart(name);
    if (!entry.isFile() || writer === undefined || !name.startsWith(of) || isAlive(writer)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/**
 * To a file beside it, onto the disk, and only then into its place: whoever reads finds the old file or the new one.
 */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await writeAllWhole(new Map([[file, bytes]]));
}

/** Several, in this order: none is put into its place before all of them are on the disk. */
export async function writeAllWhole(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const parts = new Map([...files.keys()].map((file) => [file, partOf(file)]));
  try {
    for (const folder of new Set([...files.keys()].map(dirname))) await makeFolder(folder);
    for (const [file, bytes] of files) await writeNewFile(parts.get(file)!, bytes);
    await putInPlace(parts);
  } catch (error) {
    for (const part of parts.values()) await rm(part, { force: true }).catch(() => {});
    throw error;
  }
}

/** A file that is not there yet, onto the disk. */
export async function writeNewFile(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames what is whole and on the disk into its place, and makes that last. */
export async function putInPlace(parts: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, part] of parts) await rename(part, file);
  for (const folder of new Set([...parts.keys()].map(dirname))) await syncFolder(folder);
}

/** What was written to a file by whoever is done with it, onto the disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Names are in the folder, and last once that is on the disk. Not every system opens folders, or has to. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
