/** Files on the side: removed when they are done with, and when the process ends. */

import { createWriteStream, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "telltale-"));
  const atExit = (): void => rmSync(path, { recursive: true, force: true });
  process.once("exit", atExit);
  return {
    path,
    async remove() {
      process.off("exit", atExit);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Writes all that comes to a file, never holding more than a piece of it: a table is read more than once. */
export async function spool(input: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  await pipeline(Readable.from(input), createWriteStream(path));
}
