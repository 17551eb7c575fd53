/**
 * A method in a file of one's own: code, which is imported where it is named and never because a run folder says so.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isMethodName } from "../methods/index.ts";
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

/** Imports a file whose default export is a method. */
export async function readMethodFile(given: string): Promise<MethodFile> {
  const path = resolve(given);
  const text = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new RangeError(
      `${given}: the method cannot be read (${error.code}); --method takes a name or a JavaScript file`,
    );
  });
  const loaded: { default?: unknown } = await import(pathToFileURL(path).href).catch((error: Error) => {
    throw new RangeError(`${given}: the method cannot be imported: ${error.message}`);
  });
  const wrong = wrongWith(loaded.default);
  if (wrong) throw new TypeError(`${given}: must export a method by default, ${wrong}; see docs/methods/README.md`);
  const method = loaded.default as Method;
  if (isMethodName(method.name)) {
    throw new RangeError(`${given}: the method must have a name of its own, ${method.name} is one of ours`);
  }
  return { method, path, file: basename(path), sha256: createHash("sha256").update(text).digest("hex") };
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
  const profiles = method.profiles as Partial<Method["profiles"]> | undefined;
  if (!profiles?.paper || !profiles.practical) return "whose profiles are paper and practical";
  return typeof method.start === "function" ? undefined : "whose start is a function";
}
