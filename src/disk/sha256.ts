/** What bytes are known by. */

import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { openRegular } from "./regularFile.ts";

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Of a file, a piece at a time. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  const { file: handle } = await openRegular(file);
  await pipeline(handle.createReadStream({ highWaterMark: 2 ** 20 }), hash);
  return hash.digest("hex");
}
