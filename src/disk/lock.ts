/** One writer at a time: a lock is a file that holds its process number, and a dead one's is taken over. */

import { link, open, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isAlive } from "./isAlive.ts";
import { type CannotRead, readRegular } from "./regularFile.ts";
import { partOf } from "./writeWhole.ts";

const longestNumber = 64;
/** The locks that this process holds. */
const mine = new Set<string>();

/** What a lock says, where it is one. */
type Writer = number | "nobody" | "no lock";

export class Lock {
  readonly #what: string;
  readonly #file: string;
  #isHeld = false;

  /** Of a folder: `lock` in it. */
  constructor(folder: string, file = join(folder, "lock")) {
    this.#what = folder;
    this.#file = file;
  }

  /** Of a file: `FILE.lock` beside it. */
  static ofFile(file: string): Lock {
    return new Lock(file, join(dirname(resolve(file)), `${basename(file)}.lock`));
  }

  /** Makes this process the only writer, or fails. */
  async take(): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      try {
        await claim(this.#file);
        mine.add(resolve(this.#file));
        this.#isHeld = true;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const writer = await writerOf(this.#file);
        if (this.#isTaken(writer)) break;
        if (writer === "no lock") {
          throw new RangeError(
            `${this.#file}: is in the way and is no lock of Telltale; move it, or choose another place`,
          );
        }
        if (writer !== "nobody") await this.#takeOver();
      }
    }
    throw new RangeError(
      `${this.#what}: another process writes there; wait for it, or delete ${this.#file} if there is none`,
    );
  }

  async release(): Promise<void> {
    if (!this.#isHeld) return;
    await rm(this.#file, { force: true });
    mine.delete(resolve(this.#file));
    this.#isHeld = false;
  }

  /**
   * Takes a dead writer's lock away. Only one process at a time may do so, since the slower of two would take away the
   * lock that the faster has made meanwhile: whoever takes over has a lock for that.
   */
  async #takeOver(): Promise<void> {
    const takeover = `${this.#file}.takeover`;
    try {
      await claim(takeover);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      // Ended in the middle of one, which takes a moment.
      const other = await writerOf(takeover);
      if (typeof other === "number" && !isAlive(other)) await rm(takeover, { force: true });
      await new Promise((later) => setTimeout(later, 20));
      return;
    }
    try {
      const writer = await writerOf(this.#file);
      if (typeof writer === "number" && !this.#isTaken(writer)) await rm(this.#file, { force: true });
    } finally {
      await rm(takeover, { force: true });
    }
  }

  /** Another process may have had this one's number before. */
  #isTaken(writer: Writer): boolean {
    if (typeof writer !== "number") return false;
    return writer === process.pid ? mine.has(resolve(this.#file)) : isAlive(writer);
  }
}

/** The lock appears with this process's number in it, or not at all. */
async function claim(file: string): Promise<void> {
  const number = String(process.pid);
  const prepared = partOf(file);
  try {
    await writeNew(prepared, number);
    await link(prepared, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      // Not every disk has links.
      return writeNew(file, number);
    });
  } finally {
    await rm(prepared, { force: true });
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** A number is that of a writer. Somebody else's file is no lock, and never taken away. */
async function writerOf(file: string): Promise<Writer> {
  try {
    // Whatever is called so in a folder of somebody else's is not waited for.
    const text = new TextDecoder().decode(await readRegular(file, longestNumber));
    return /^\d{1,10}$/.test(text) ? Number(text) : "no lock";
  } catch (error) {
    return (error as CannotRead).code === "ENOENT" ? "nobody" : "no lock";
  }
}
