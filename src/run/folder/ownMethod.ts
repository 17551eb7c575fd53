/**
 * A run whose method is none of ours keeps the method's name and hash; the code has to be given again by whoever wants
 * to use it.
 */

import { jsonText } from "../../text/jsonText.ts";
import { shellPath } from "../../text/shellText.ts";
import type { MethodFile } from "../../worker/methodFile.ts";
import type { RunDescription } from "./schemas/runDescription.ts";

/** The method's file for a run that needs one, checked to be what the run was fitted with; nothing for one of ours. */
export async function ownMethod(
  path: string,
  { settings }: Pick<RunDescription, "settings">,
  given: string | undefined,
): Promise<MethodFile | undefined> {
  const { method, methodFile } = settings;
  if (!methodFile) {
    if (given === undefined || given === method) return undefined;
    throw new RangeError(
      `${path}: was fitted by ${method}, and cannot be used with another method; leave out --method`,
    );
  }
  const { isMethodFile, readMethodFile } = await import("../../worker/methodFile.ts");
  const again = `give it again with --method ${shellPath(methodFile.file)} (method: ${jsonText(`…/${methodFile.file}`)})`;
  if (given === undefined || !isMethodFile(given)) {
    throw new TypeError(
      `${path}: was fitted by a method of your own, ${method}, which is code and is not saved; ${again}`,
    );
  }
  const found = await readMethodFile(given, methodFile).catch((error: Error) => {
    throw new RangeError(`${path}: ${error.message}`);
  });
  if (found.method.name === method) return found;
  throw new RangeError(`${path}: was fitted by ${method}, and ${given} is ${found.method.name}; ${again}`);
}

/** What has to be said with a command that needs the method's code; nothing where it is one of ours. */
export function methodHint({ settings }: Pick<RunDescription, "settings">): string {
  return settings.methodFile ? ` --method ${shellPath(settings.methodFile.file)}` : "";
}
