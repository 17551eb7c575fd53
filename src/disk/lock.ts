/** One writer at a time: the file `lock` in a folder holds its process number, and a dead one's is taken over. */

import { link, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { readRegular } from "./regularFile.ts";

const longestNumber = 64;
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
    for (let attempt = 0; attempt < 20; attempt++) {
      try {
        await claim(this.#file);
        mine.add(folder);
        this.#isHeld = true;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        if (this.#isTaken(await this.writer())) break;
        await this.#takeOver();
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
    return writerOf(this.#file);
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
      if (other > 0 && !isAlive(other)) await rm(takeover, { force: true });
      await new Promise((later) => setTimeout(later, 20));
      return;
    }
    try {
      if (!this.#isTaken(await this.writer())) await rm(this.#file, { force: true });
    } finally {
      await rm(takeover, { force: true });
    }
  }

  /** Another process may have had this one's number before. */
  #isTaken(writer: number): boolean {
    return writer === process.pid ? mine.has(resolve(this.#folder)) : isAlive(writer);
  }
}

/** The lock appears with this process's number in it, or not at all. */
async function claim(file: string): Promise<void> {
  const number = String(process.pid);
  const prepared = `${file}.${number}.${claims++}`;
  try {
    await writeFile(prepared, number);
    await link(prepared, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      // Not every disk has links.
      return writeFile(file, number, { flag: "wx" });
    });
  } finally {
    await rm(prepared, { force: true });
  }
}

async function writerOf(file: string): Promise<number> {
  // Whatever is called so in a folder of somebody else's is not waited for.
  const bytes = await readRegular(file, longestNumber).catch(() => "");
  return Number(bytes.toString());
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
