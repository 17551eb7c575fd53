/** Images that cannot be read: left out, counted and listed, unless they are too many. */

import { oneLine } from "../../text/oneLine.ts";
import { BrokenImage } from "./imageKind.ts";

/** More than this share of a folder is no accident. */
const mostBroken = 0.5;

export class BrokenImages {
  readonly #folder: string;
  readonly #all: number;
  readonly #names: string[] = [];
  #first: Error | undefined;

  constructor(folder: string, all: number) {
    this.#folder = folder;
    this.#all = all;
  }

  /** What is read of a picture; nothing where it is broken. */
  async unless<T>({ name }: { readonly name: string }, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BrokenImage)) throw error;
      this.#first ??= error;
      this.#names.push(name);
      return undefined;
    }
  }

  check(): void {
    const broken = this.#names.length;
    if (broken === 0 || (broken < this.#all && broken <= mostBroken * this.#all)) return;
    if (this.#all === 1) throw this.#first;
    throw new RangeError(
      `${this.#folder}: ${broken} of its ${this.#all} images cannot be read, which is too many; the first is ${this.#first!.message}`,
    );
  }

  words(): string {
    const broken = this.#names.length;
    if (broken === 0) return "";
    const names = this.#names.slice(0, 8).map((name) => oneLine(name, 60));
    return `; skipping ${broken} of ${this.#all} images that cannot be read (${names.join(", ")}${broken > 8 ? ` and ${broken - 8} more` : ""})`;
  }
}
