/** The files inside a zip file, such as the arrays of a .npz or the sheets of a workbook. */

import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { statRegular } from "../../disk/regularFile.ts";
import { type Bytes, spoolError, spooledBytes } from "../kept/bytes.ts";
import { checkUnpacked } from "../kept/gunzipped.ts";

export interface Zip {
  readonly names: readonly string[];
  /** One of them, unpacked. */
  take(name: string): Promise<Bytes>;
  close(): void;
}

/** How many bytes a packed byte can stand for. */
const mostPacked = 1032;
/** More files than this are neither. */
const mostEntries = 2 ** 16;

interface ZipOptions {
  /** What to do about a file in it that cannot be read. */
  readonly cure: string;
  readonly signal?: AbortSignal | undefined;
}

export async function openZip(path: string, where: string, { cure, signal }: ZipOptions): Promise<Zip> {
  await statRegular(path, where);
  const damaged = (): Error => new RangeError(`${where}: the zip data is damaged or cut short`);
  const { openPromise } = await import("yauzl");
  const file = await openPromise(path, { autoClose: false }).catch(() => Promise.reject(damaged()));
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of file.eachEntry()) {
      signal?.throwIfAborted();
      if (entries.size === mostEntries) throw damaged();
      entries.set(entry.fileName, entry);
    }
    return {
      names: [...entries.keys()],
      async take(name) {
        const entry = entries.get(name)!;
        if (!entry.canDecodeFileData()) {
          throw new RangeError(`${where}: ${name} is encrypted, or packed in a way that is not read; ${cure}`);
        }
        // No way of packing makes a byte of more: whoever promises that has not packed it.
        if (entry.uncompressedSize > mostPacked * (entry.compressedSize + 1)) throw damaged();
        checkUnpacked(where, entry.compressedSize, entry.uncompressedSize);
        return spooledBytes(where, contentOf(file, entry), entry.uncompressedSize, signal).catch(
          (error: NodeJS.ErrnoException) => {
            signal?.throwIfAborted();
            throw spoolError(where, error, "the zip data is damaged or cut short");
          },
        );
      },
      close: () => file.close(),
    };
  } catch {
    file.close();
    signal?.throwIfAborted();
    throw damaged();
  }
}

/** Opened only when someone reads: a stream that fails before would bring the process down. */
async function* contentOf(file: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const chunk of (await file.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) throw new RangeError("the sum of its bytes is not the one that was written down");
}
