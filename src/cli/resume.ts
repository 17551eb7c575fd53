/** What to say about a training that was stopped. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMethodFile } from "../doors/inside.ts";

/** How to go on with the training in a folder, if there is one that has begun and not ended. */
export async function adviceAfterStop(folder: string, method?: string): Promise<string> {
  const description = await readFile(join(folder, "run.json"), "utf8").catch(() => "");
  const again = method === undefined || !isMethodFile(method) ? "" : ` --method ${quoted(method)}`;
  return /"status":\s*"training"/.test(description)
    ? `stopped; its state is saved; go on with: telltale fit --resume ${quoted(folder)}${again}`
    : "stopped; it had not begun to learn, and left nothing behind";
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./~:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
