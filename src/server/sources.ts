/** Data files that can be fitted, by ids that the server makes: those that were named, and those that were uploaded. */

import { open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Source } from "../api/fits.ts";
import { checkNoLinks, OutputFile } from "../doors/inside.ts";
import { notFound, Refused } from "./refused.ts";

interface Known extends Source {
  readonly path: string;
}

/** Bytes of an upload, and how many may come at once. */
const [mostBytes, mostAtOnce] = [2 ** 30, 2];

export class Sources {
  readonly #all = new Map<string, Known>();
  readonly #uploads: string;
  readonly #mostBytes: number;
  #coming = 0;

  /** `uploads`: the folder that they are written to. */
  constructor(
    files: readonly { readonly path: string; readonly kind: "file" | "folder" }[],
    uploads: string,
    most = mostBytes,
  ) {
    this.#uploads = uploads;
    this.#mostBytes = most;
    for (const { path, kind } of files) this.#add(resolve(path), kind);
  }

  list(): Source[] {
    return [...this.#all.values()].map(({ path: _, ...source }) => source);
  }

  get(id: string): Known {
    const found = this.#all.get(id);
    if (!found) throw notFound("such data file");
    return found;
  }

  /** Takes a file: whole or not at all, never larger than it may be, and never in place of another. */
  async take(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Source> {
    if (this.#coming >= mostAtOnce)
      throw new Refused(429, "other files are still coming; try again when they are here");
    this.#coming++;
    try {
      const path = join(this.#uploads, name);
      await checkNoLinks(dirname(this.#uploads), path);
      const output = await OutputFile.claim(path);
      try {
        await this.#write(output.part, bytes);
        await output.put();
      } finally {
        await output.release();
      }
      const { path: _, ...source } = this.#add(path, "upload");
      return source;
    } finally {
      this.#coming--;
    }
  }

  async #write(part: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(part, "wx");
    try {
      let written = 0;
      for await (const piece of bytes) {
        written += piece.length;
        if (written > this.#mostBytes)
          throw new Refused(
            413,
            `a file must have at most ${this.#mostBytes} bytes; name it on the command line instead`,
          );
        await file.write(piece);
      }
      if (written === 0) throw new Refused(400, "the file is empty");
    } finally {
      await file.close();
    }
  }

  #add(path: string, kind: Source["kind"]): Known {
    const source = { id: `data-${this.#all.size + 1}`, name: basename(path), kind, path };
    this.#all.set(source.id, source);
    return source;
  }
}
