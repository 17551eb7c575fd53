/** What run.json says about the files that the run has written: by name, the hashes that a file may have. */

import { byName, list, type Schema, value } from "../../../formats/schema.ts";

/** One hash, or two while a file is being replaced. */
export type WrittenFiles = Readonly<Record<string, readonly string[]>>;

export const sha256 = value<string>(
  "64 hexadecimal digits",
  (hash) => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash),
);

export const writtenFiles: Schema<WrittenFiles> = byName(list(sha256));
