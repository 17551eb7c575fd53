/** What a run's files looked like: another process may change what people have made of it, or fit it again. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

/** The same as long as neither the run nor the list of its edits is written. */
export async function runStamp(path: string): Promise<string> {
  const files = ["run.json", "curation.jsonl"].map((name) => stat(join(path, name), { bigint: true }));
  const found = await Promise.allSettled(files);
  return found
    .map((each) => (each.status === "fulfilled" ? `${each.value.ino} ${each.value.size} ${each.value.mtimeNs}` : "–"))
    .join(", ");
}
