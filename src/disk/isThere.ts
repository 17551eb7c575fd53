/** Whether there is something at a path, whatever it is. */

import { stat } from "node:fs/promises";

export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
