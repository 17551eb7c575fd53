/**
 * A text of JSON that lists the files beside it by their hashes, and ends with a seal, the hash of all that. By it we
 * know the files that we have written from those of somebody else, and whether anybody has changed them since.
 */

import { sha256 } from "../../disk/sha256.ts";
import { parseJson } from "../../formats/json.ts";
import { problemIn } from "../../formats/schema.ts";
import { type WrittenFiles, writtenFiles } from "./schemas/writtenFiles.ts";

export interface Sealed {
  readonly description: object;
  readonly files: WrittenFiles;
}

const seal = /,\n {2}"seal": "([0-9a-f]{64})"\n\}\n$/;

/** `text` makes JSON of an object. */
export function sealedText(description: object, files: WrittenFiles, text: (said: object) => string = inLines): string {
  const said = text({ ...description, files, seal: undefined }).replace(/\n?\}$/, "");
  return `${said},\n  "seal": "${sha256(new TextEncoder().encode(said))}"\n}\n`;
}

const inLines = (said: object): string => JSON.stringify(said, null, 2);

/** What a text says that we have sealed and nobody has changed since; nothing for any other. */
export function sealedIn(text: string): Sealed | undefined {
  const found = seal.exec(text);
  if (!found || sha256(new TextEncoder().encode(text.slice(0, found.index))) !== found[1]) return undefined;
  try {
    const { files, seal: _, ...description } = parseJson(text) as { files: WrittenFiles; seal: string };
    return problemIn("files", writtenFiles, files) ? undefined : { description, files };
  } catch {
    return undefined;
  }
}
