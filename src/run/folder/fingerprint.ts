/**
 * A number that other rows, or the same in another order, would hardly have: for the mistake of taking them for the
 * same.
 */

import { createHash } from "node:crypto";
import { type Data, rowsAtOnce } from "../../data/data.ts";

/** So many rows are looked at: all where they are in memory, and the first of those that are streamed. */
const streamedRows = 2 ** 16;

export async function fingerprintOf(data: Data): Promise<string> {
  const hash = createHash("sha256").update(`${data.count}×${data.row}`);
  let seen = 0;
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    hash.update(new Uint8Array(x.data.buffer, x.data.byteOffset, x.data.byteLength));
    seen += x.shape[0]!;
    if (!data.tensor && seen >= streamedRows) break;
  }
  return hash.digest("hex").slice(0, 32);
}
