/** A file packed with gzip, unpacked as it is read. */

import { createGunzip } from "node:zlib";
import { openRegular } from "../../disk/regularFile.ts";
import { bytesInWords } from "../../tensor/budget.ts";

/** A gigabyte is nothing to worry about; beyond, what unpacks to so many times its size is no data. */
const harmless = 2 ** 30;
const mostTimes = 200;

/** Refuses what a small file can be made to unpack to. */
export function checkUnpacked(where: string, packed: number, unpacked: number): void {
  if (unpacked <= Math.max(harmless, mostTimes * packed)) return;
  throw new RangeError(
    `${where}: ${bytesInWords(packed)} unpack to ${bytesInWords(unpacked)} or more, ${mostTimes} times their size, which no usual data does; unpack it yourself if that is right`,
  );
}

export async function* gunzipped(path: string, name: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const { file, size } = await openRegular(path, name);
  const packed = file.createReadStream({ ...(signal && { signal }) });
  const content = packed.pipe(createGunzip());
  packed.on("error", (error) => content.destroy(error));
  let unpacked = 0;
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      signal?.throwIfAborted();
      unpacked += chunk.length;
      checkUnpacked(name, size, unpacked);
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") ? new RangeError(`${name}: the gzip data is damaged or cut short`) : error;
  } finally {
    packed.destroy();
    content.destroy();
  }
}
