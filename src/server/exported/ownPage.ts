/** The files of an exported page, known by their hashes: whatever else is in its folder is somebody's own. */

import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { cannotWrite, readRegular, sealedIn, sha256, sha256OfFile, writerOfPart } from "../../doors/inside.ts";

/** What lists the files of a page, by their names and hashes, and has a seal. */
export const listName = "telltale-page.json";
export const pageFormat = "telltale page";

/** The largest list that is read, and the largest file of an older page. */
const [mostListed, mostBytes] = [2 ** 20, 2 ** 28];

/** What the files of a page come to, in their order. */
export function versionOf(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash("sha256");
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  return hash.digest("hex").slice(0, 16);
}

/** The files of the page that is there, by their hashes; refused where there is anything else, or one was changed. */
export async function ownFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const refused = (what: string): RangeError => new RangeError(`${folder}: ${what}, or choose another folder`);
  const there = await filesIn(folder);
  for (const [name, entry] of there) {
    if (entry.isSymbolicLink()) throw refused(`${name} is a link, and nothing is written through one; remove it`);
    // What passes: a lock, and what a process leaves that was ended while it wrote.
    const isPassing = /^lock(\.takeover)?$/.test(name) || writerOfPart(name) !== undefined;
    if (isPassing && entry.isFile()) there.delete(name);
  }
  const own = new Map<string, string>();
  if (there.size === 0) return own;
  const text = await readRegular(join(folder, listName), mostListed).catch(() => new Uint8Array(0));
  const listed = listIn(Buffer.from(text).toString()) ?? (await olderList(folder, Buffer.from(text).toString(), there));
  for (const name of there.keys()) {
    if (!listed || (name !== listName && !listed.has(name))) {
      throw refused(`has files that are none of such a page (${name}), so that it is not replaced; move them`);
    }
    const hash = await sha256OfFile(join(folder, name));
    if (name !== listName && !listed.get(name)!.includes(hash)) {
      throw refused(`${name} is not as it was written, and would be lost; move it`);
    }
    own.set(name, hash);
  }
  return own;
}

/** The hashes that files may have, by their names. */
type Listed = ReadonlyMap<string, readonly string[]>;

function listIn(text: string): Listed | undefined {
  const sealed = sealedIn(text);
  const { format } = (sealed?.description ?? {}) as { format?: unknown };
  return sealed && format === pageFormat ? new Map(Object.entries(sealed.files)) : undefined;
}

/** A page that was written before lists had hashes: all of its files come to the version that its offline.js has. */
async function olderList(
  folder: string,
  text: string,
  there: ReadonlyMap<string, unknown>,
): Promise<Listed | undefined> {
  try {
    const { format, files: names } = JSON.parse(text) as { format?: unknown; files?: unknown };
    if (format !== pageFormat || !Array.isArray(names) || !names.every((name) => there.has(name))) return undefined;
    const read = (name: string): Promise<Uint8Array> => readRegular(join(folder, name), mostBytes);
    const offline = await read("offline.js");
    const files = new Map<string, Uint8Array>();
    for (const name of names) if (name !== "offline.js") files.set(name, await read(name));
    const [, version] = /^const kept = \{"version":"([0-9a-f]{16})"/.exec(Buffer.from(offline).toString()) ?? [];
    if (version !== versionOf(files)) return undefined;
    return new Map([...files, ["offline.js", offline] as const].map(([name, bytes]) => [name, [sha256(bytes)]]));
  } catch {
    return undefined;
  }
}

/** All that is below a folder and is no folder, by its path there; a link is not entered. */
export async function filesIn(folder: string): Promise<Map<string, Dirent>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw cannotWrite(folder, error);
    },
  );
  const files = entries.filter((entry) => !entry.isDirectory());
  return new Map(
    files.map((entry) => [relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"), entry]),
  );
}
