/** What to say about a training that was stopped. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMethodFile } from "../doors/inside.ts";
import { shellPath } from "../text/shellText.ts";

/** How to go on with the training in a folder, if there is one that has begun and not ended. */
export async function adviceAfterStop(folder: string, method?: string): Promise<string> {
  const description = await readFile(join(folder, "run.json"), "utf8").catch(() => "");
  const again = method === undefined || !isMethodFile(method) ? "" : ` --method ${shellPath(method)}`;
  return /"status":\s*"training"/.test(description)
    ? `stopped; its state is saved; go on with: telltale fit --resume ${shellPath(folder)}${again}`
    : "stopped; it had not begun to learn, and left nothing behind";
}
