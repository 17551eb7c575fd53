/**
 * A method in a file of one's own: code, which is imported where it is named and never because a run folder says so.
 */

import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type CannotRead, readRegular } from "../disk/regularFile.ts";
import { sha256 as hashOf } from "../disk/sha256.ts";
import { oursOf } from "../methods/methodOf.ts";
import { checkOptionNames } from "../model/fitOptions.ts";
import { isOption } from "../options.ts";
import type { Method } from "../training/method.ts";

export interface MethodFile {
  readonly method: Method;
  /** Where it is, for the thread that trains. */
  readonly path: string;
  /** What is kept of it: its name without folders, and a hash of its text. */
  readonly file: string;
  readonly sha256: string;
}

/** Whether what stands for a method is a file and no name: names have neither folders nor endings. */
export function isMethodFile(text: string): boolean {
  return /[/\\]|\.[cm]?[jt]s$/.test(text);
}

/** In bytes: code that people write. */
const longestMethod = 2 ** 26;

/** What a run remembers of a method. */
export type MethodMemory = Pick<MethodFile, "sha256"> & { readonly name?: string };

/**
 * Imports a file whose default export is a method. With a memory of it, only the same text is: another one is refused
 * before any of it runs.
 */
export async function readMethodFile(given: string, memory?: MethodMemory): Promise<MethodFile> {
  const path = resolve(given);
  const text = await readRegular(path, longestMethod, given).catch(({ message }: CannotRead) => {
    throw new RangeError(`${message}; --method takes a name or a JavaScript file`);
  });
  const sha256 = hashOf(text);
  if (memory && memory.sha256 !== sha256) {
    throw new RangeError(`${given}: is another method than the run was fitted with, or has changed since`);
  }
  // Under its hash, since a file that was imported before and has changed would otherwise come as it was.
  const loaded: { default?: unknown } = await import(`${pathToFileURL(path).href}?${sha256}`).catch(
    (error: unknown) => {
      throw new RangeError(`${given}: the method cannot be imported: ${reasonOf(error)}`);
    },
  );
  const wrong = wrongWith(loaded.default);
  if (wrong) throw new TypeError(`${given}: must export a method by default, ${wrong}; see docs/training.md`);
  const method = loaded.default as Method;
  if (oursOf(method.name)) {
    throw new RangeError(`${given}: the method must have a name of its own, ${method.name} is one of ours`);
  }
  checkOptionNames(method);
  return { method, path, file: basename(path), sha256 };
}

function reasonOf(error: unknown): string {
  const { message, code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const cure = code === "ERR_MODULE_NOT_FOUND" ? "; install what it imports where it lies (npm install telltale)" : "";
  return `${message}${cure}`;
}

/** What is missing of a method. */
function wrongWith(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return `got ${value === undefined ? "nothing" : typeof value}`;
  const method = value as Partial<Record<keyof Method, unknown>>;
  for (const part of ["name", "about", "paper"] as const) {
    if (typeof method[part] !== "string" || method[part] === "") return `whose ${part} is a text`;
  }
  if (!/^[\w.-]+$/.test(method.name as string)) return "whose name has letters, digits and . _ - only";
  if (typeof method.options !== "object" || method.options === null) return "whose options are a table";
  const strange = Object.entries(method.options).find(([, option]) => !isOption(option));
  if (strange) return `whose option ${strange[0]} is made by number, whole, choice, flag or sizes`;
  const profiles = method.profiles as Partial<Method["profiles"]> | undefined;
  if (!profiles?.paper || !profiles.practical) return "whose profiles are paper and practical";
  return typeof method.start === "function" ? undefined : "whose start is a function";
}
