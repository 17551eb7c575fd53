/** What a command has changed that it had no business with. */

import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Place, Written } from "./input.ts";

/** Everything below a folder, by path: what it is, and for files also which one, when it was written, and its hash. */
export type Snapshot = ReadonlyMap<string, string>;

const largestRead = 1e8;

export async function snapshot(root: string): Promise<Snapshot> {
  const found = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const entry = await lstat(path).catch(() => undefined);
      if (!entry) continue;
      if (entry.isDirectory()) {
        found.set(path, "folder");
        await visit(path);
      } else if (entry.isSymbolicLink()) found.set(path, `link to ${await readlink(path)}`);
      else if (entry.isFile()) {
        const hash = entry.size < largestRead ? sha1(await readFile(path)) : "large";
        found.set(path, `file ${entry.ino} ${entry.size} ${entry.mtimeMs} ${hash}`);
      } else found.set(path, `special ${entry.mode} ${entry.rdev}`);
    }
  };
  await visit(root);
  return found;
}

function sha1(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

/** The paths that are others now, and may not be. */
export function touched(before: Snapshot, after: Snapshot, place: Place, writes: readonly Written[]): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const isAllowed = (path: string): boolean => {
    const wasThere = before.has(path);
    return writes.some(({ path: name, replaces = false, prefix = false }) => {
      if (name === "" || (wasThere && !replaces)) return false;
      const own = resolve(place.work, name.replaceAll("@/", `${place.work}/`));
      const isAbove = !wasThere && after.get(path) === "folder" && own.startsWith(`${path}/`);
      return path === own || path.startsWith(`${own}/`) || (prefix && path.startsWith(own)) || isAbove;
    });
  };
  return [...paths]
    .filter((path) => before.get(path) !== after.get(path) && !isAllowed(path))
    .map((path) => path.slice(place.root.length + 1));
}
