/**
 * A curated model that is being written. Its curated.json lists each file by its hash before the file takes its place:
 * whoever finds the folder unfinished knows what in it is ours.
 */

import { OutputFile } from "../../disk/outputFile.ts";
import { sha256, sha256OfFile } from "../../disk/sha256.ts";
import { curatedFile } from "../folder/curatedRun.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import type { CuratedDescription } from "../folder/schemas/curation.ts";
import { sealedText } from "../folder/sealed.ts";

type Said = Pick<CuratedDescription, "log" | "names" | "result">;

/** Of no log: nothing that goes by it counts. */
const unfinished: Said = { log: { entries: 0, sha256: sha256(new Uint8Array(0)) }, names: [], result: null };

export class NextFolder {
  readonly #folder: RunFolder;
  readonly #name: string;
  readonly #fit: string;
  readonly #hashes = new Map<string, string>();

  constructor(folder: RunFolder, name: string, fit: string) {
    this.#folder = folder;
    this.#name = name;
    this.#fit = fit;
  }

  write(name: string, text: string): Promise<void> {
    return this.writeAll(new Map([[name, new TextEncoder().encode(text)]]));
  }

  async writeAll(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [name, bytes] of files) this.#hashes.set(name, sha256(bytes));
    await this.#list(unfinished);
    await this.#folder.writeAll(new Map([...files].map(([name, bytes]) => [`${this.#name}/${name}`, bytes])));
  }

  /** A file that is too long to be written at once. */
  output(name: string): OutputFile {
    const whole = async (part: string): Promise<void> => {
      this.#hashes.set(name, await sha256OfFile(part));
      await this.#list(unfinished);
    };
    return new OutputFile(this.#folder.file(this.#name, name), { whole });
  }

  /** All is there: it counts once the log has its line. */
  finish(said: Said): Promise<void> {
    return this.#list(said);
  }

  async #list(said: Said): Promise<void> {
    const files = Object.fromEntries([...this.#hashes].map(([name, hash]) => [name, [hash]]));
    const description = { format: "telltale curated", version: 1, fit: this.#fit, ...said };
    await this.#folder.write(`${this.#name}/${curatedFile}`, sealedText(description, files));
  }
}
