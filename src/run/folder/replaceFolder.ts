/**
 * A folder that takes another's place. A folder cannot be renamed onto one that has files, so that it takes two
 * renames: the old one becomes NAME.replaced-by-telltale, then the new one becomes NAME. Whoever opens NAME after a
 * kill between the two puts the old one back.
 */

import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isAlive, Lock } from "../../disk/lock.ts";
import { cannotWrite, makeFolder } from "../../disk/writeWhole.ts";
import { sortedFiles } from "./runFiles.ts";
import { RunFolder } from "./runFolder.ts";

const replacedName = (path: string): string => `${resolve(path)}.replaced-by-telltale`;
let parts = 0;

/** Lets `write` fill a new folder beside the old one, and only then puts it into its place. */
export async function replaceFolder(
  path: string,
  write: (folder: RunFolder) => Promise<void>,
  { force = false }: { force?: boolean } = {},
): Promise<void> {
  const target = resolve(path);
  await recover(target);
  await RunFolder.check(target, { force });
  const others = (await isThere(target)) ? (await sortedFiles(target)).others : [];
  if (others.length > 0) {
    throw new RangeError(
      `${path}: has files that are not the run's, which would go with it (${others.slice(0, 5).join(", ")}); move them, or choose another folder`,
    );
  }
  await removeLeft(target);
  const part = new RunFolder(`${target}.part-${process.pid}-${parts++}`);
  const old = new RunFolder(target);
  try {
    await makeFolder(part.path).catch((error) => {
      throw cannotWrite(path, error);
    });
    await write(part);
    if (await isThere(target)) {
      await old.lock();
      await rm(replacedName(target), { recursive: true, force: true });
      await rename(target, replacedName(target));
    }
    await rename(part.path, target).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody has put a folder there meanwhile.
      if (error.code === "ENOTEMPTY" || error.code === "EEXIST") await RunFolder.check(target);
      throw error;
    });
    await rm(replacedName(target), { recursive: true, force: true });
    await old.unlock();
  } catch (error) {
    await rm(part.path, { recursive: true, force: true });
    await recover(target, process.pid);
    await old.unlock();
    throw error;
  }
}

/** Sets right what a process left behind that was ended in the middle of this; waits for one that is still at it. */
export async function recover(path: string, own = 0): Promise<void> {
  const replaced = new RunFolder(replacedName(path));
  for (let attempt = 0; attempt < 50; attempt++) {
    if (!(await isThere(replaced.path))) return;
    const writer = await new Lock(replaced.path).writer();
    // What was left in the middle has the lock of whoever left it; a folder without one is somebody's own.
    if (writer === 0) return;
    const isLeft = writer === own || !isAlive(writer);
    if (await isThere(path)) {
      // Both renames were made, and what was replaced is only in the way.
      if (isLeft) await rm(replaced.path, { recursive: true, force: true });
      return;
    }
    if (isLeft) {
      await rm(replaced.file("lock"), { force: true });
      await rename(replaced.path, path).catch(() => {});
      return;
    }
    await wait(20);
  }
}

/** What processes that are gone left unfinished beside it. */
async function removeLeft(target: string): Promise<void> {
  const beside = await readdir(dirname(target)).catch(() => []);
  for (const name of beside) {
    if (!name.startsWith(`${basename(target)}.part-`)) continue;
    const writer = Number(/\.part-(\d+)-\d+$/.exec(name)?.[1]);
    if (writer > 0 && !isAlive(writer)) await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
