/** run.json: what a run is, of this format or an older one. By its list and its seal (sealed.ts) it knows its files. */

import { parseJson } from "../../formats/json.ts";
import { problemIn, type Schema, unknown } from "../../formats/schema.ts";
import { formatOne, upgraded } from "./olderRuns.ts";
import { type RunDescription, runDescription, runFormat } from "./schemas/runDescription.ts";

/** What run.json says, of this format or an older one. */
export function describedIn(path: string, text: string): RunDescription {
  const name = "run.json";
  const found = parsed(path, name, text, unknown) as { format?: unknown; version?: unknown } | null;
  if (found?.format !== "telltale run" || !(Number.isSafeInteger(found.version) && (found.version as number) >= 1)) {
    throw new RangeError(`${path}: run.json does not describe a run of Telltale`);
  }
  const version = found.version as number;
  if (version > runFormat) {
    throw new RangeError(
      `${path}: was written by a newer Telltale (format ${version}, this one knows ${runFormat}); update telltale`,
    );
  }
  const current = version < runFormat ? upgraded(checked(path, name, found, formatOne)) : found;
  return checked(path, name, current, runDescription);
}

/** What another file says about a run, as run.json would. */
export function checkedRun(path: string, name: string, found: unknown): RunDescription {
  return checked(path, name, found, runDescription);
}

export function damaged(path: string, name: string, error: unknown): RangeError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code ?? message.replace(`${name}: `, "");
  return damagedBy(path, `${name} ${code === "ENOENT" ? "is missing" : `cannot be read (${why})`}`);
}

function damagedBy(path: string, problem: string): RangeError {
  return new RangeError(`${path}: the run is damaged: ${problem}; fit it again, or restore the folder`);
}

/** JSON that is what a schema says. */
export function parsed<T>(path: string, name: string, text: string, schema: Schema<T>): T {
  let found: unknown;
  try {
    found = parseJson(text);
  } catch (error) {
    throw damaged(path, name, error);
  }
  return checked(path, name, found, schema);
}

function checked<T>(path: string, name: string, found: unknown, schema: Schema<T>): T {
  const problem = problemIn(name, schema, found);
  if (problem) throw damagedBy(path, problem);
  return found as T;
}
