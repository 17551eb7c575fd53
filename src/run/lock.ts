/** One writer at a time: the file `lock` in a folder holds its process number, and a dead one's is taken over. */

import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The folders that this process writes to. */
const mine = new Set<string>();
let claims = 0;

export class Lock {
  readonly #folder: string;
  readonly #file: string;
  #isHeld = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, "lock");
  }

  /** Makes this process the only writer, or fails. */
  async take(): Promise<void> {
    const folder = resolve(this.#folder);
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        await this.#claim();
        mine.add(folder);
        this.#isHeld = true;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const writer = await this.writer();
        // Another process may have had this one's number before.
        if (writer === process.pid ? mine.has(folder) : isAlive(writer)) break;
        await this.#bury();
      }
    }
    throw new RangeError(
      `${this.#folder}: another process writes there; wait for it, or delete ${this.#file} if there is none`,
    );
  }

  async release(): Promise<void> {
    if (!this.#isHeld) return;
    await rm(this.#file, { force: true });
    mine.delete(resolve(this.#folder));
    this.#isHeld = false;
  }

  /** The process that has said that it writes here, alive or not; 0 where none has. */
  async writer(): Promise<number> {
    return Number(await readFile(this.#file, "utf8").catch(() => ""));
  }

  /** Takes a dead writer's lock away. Of two that try, the slower one gets the lock of the faster, and puts it back. */
  async #bury(): Promise<void> {
    const taken = `${this.#file}.${process.pid}.${claims++}`;
    try {
      await rename(this.#file, taken);
    } catch {
      return;
    }
    const writer = Number(await readFile(taken, "utf8"));
    if (writer !== process.pid && isAlive(writer)) await link(taken, this.#file).catch(() => undefined);
    await rm(taken, { force: true });
  }

  /** The lock appears with its number in it, or not at all. */
  async #claim(): Promise<void> {
    const claim = `${this.#file}.${process.pid}.${claims++}`;
    const number = String(process.pid);
    try {
      await writeFile(claim, number);
      await link(claim, this.#file).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") throw error;
        // Not every disk has links.
        return writeFile(this.#file, number, { flag: "wx" });
      });
    } finally {
      await rm(claim, { force: true });
    }
  }
}

export function isAlive(writer: number): boolean {
  if (!Number.isInteger(writer) || writer <= 0) return false;
  try {
    process.kill(writer, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
