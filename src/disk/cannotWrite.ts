/** What to say where a file or a folder cannot be written: why, and what to do about it, never a code alone. */

import { codeOf, reasonOf, reasons } from "./reasons.ts";
import { CannotRead } from "./regularFile.ts";

/** An error that has been put into words already. */
class CannotWrite extends Error {}

/** Codes that only somebody who writes is told; any other may be about what was to be read. */
const ofWriting: readonly (string | undefined)[] = ["ENOSPC", "EDQUOT", "EROFS"];

/** Whether an error says that something cannot be written, or comes from one that does. */
export function saysCannotWrite(error: unknown): boolean {
  if (error instanceof CannotWrite) return true;
  if (error instanceof CannotRead) return false;
  const { cause, code } = error as NodeJS.ErrnoException;
  return ofWriting.includes(code) || (cause !== undefined && cause !== null && saysCannotWrite(cause));
}

export function cannotWrite(path: string, error: unknown): Error {
  if (error instanceof CannotWrite) return error;
  const known = codeOf(error);
  const cure = known === undefined ? "" : `; ${reasons[known]![2]}`;
  return new CannotWrite(`${path}: cannot be written (${reasonOf(error)})${cure}`);
}

/** Whether the system refused to write, and not something else: for errors that other programs tell in words. */
export function isRefusedBySystem(error: unknown): boolean {
  return codeOf(error) !== undefined;
}

/** A code of the system as a sentence, for whatever nobody has put into words before it reaches people. */
export function inWords(code: string, path: string | undefined): string | undefined {
  if (!Object.hasOwn(reasons, code)) return undefined;
  if (code === "ENOENT") return `${path ?? "a path"}: there is no such file or folder`;
  const [why, , cure] = reasons[code]!;
  return path === undefined ? `${why}; ${cure}` : `${path}: cannot be used (${why}); ${cure}`;
}
