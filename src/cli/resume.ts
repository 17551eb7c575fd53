/** What to say about a training that was stopped. */

import { isMethodFile, RunFolder } from "../doors/learn.ts";
import { shellPath } from "../text/shellText.ts";

/** How to go on with the training in a folder, if there is one that has begun and not ended. */
export async function adviceAfterStop(folder: string, method?: string): Promise<string> {
  const description = await new RunFolder(folder).description().catch(() => undefined);
  const again = method === undefined || !isMethodFile(method) ? "" : ` --method ${shellPath(method)}`;
  if (description?.result?.unfinished) {
    return `stopped; the model is saved and can be used; the map, the list of rows and the report are still to come: telltale fit --resume ${shellPath(folder)}${again}`;
  }
  return description?.status === "training"
    ? `stopped; its state is saved; go on with: telltale fit --resume ${shellPath(folder)}${again}`
    : "stopped; it had not begun to learn, and left nothing behind";
}
