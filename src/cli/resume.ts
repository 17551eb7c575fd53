/** What to say about a training that was stopped. */

import { isMethodFile, RunFolder } from "../doors/inside.ts";

/** How to go on with the training in a folder, if there is one that has begun and not ended. */
export async function adviceAfterStop(folder: string, method?: string): Promise<string> {
  const description = await new RunFolder(folder).description().catch(() => undefined);
  const again = method === undefined || !isMethodFile(method) ? "" : ` --method ${quoted(method)}`;
  return description?.status === "training"
    ? `stopped; its state is saved; go on with: telltale fit --resume ${quoted(folder)}${again}`
    : "stopped; it had not begun to learn, and left nothing behind";
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./~:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
