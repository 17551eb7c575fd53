/** What to say about a training that was stopped. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** How to go on with the training in a folder, if there is one that has begun and not ended. */
export async function adviceAfterStop(folder: string): Promise<string> {
  const description = await readFile(join(folder, "run.json"), "utf8").catch(() => "");
  return /"status":\s*"training"/.test(description)
    ? `stopped; its state is saved; go on with: telltale fit --resume ${quoted(folder)}`
    : "stopped; it had not begun to learn, and left nothing behind";
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./~:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
