/** Parquet and JSON for DuckDB: formats that say what type their values have. */

import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Recognized } from "../recognize.ts";
import { quotePath, quoteText } from "./database.ts";

/** What stands after `from` in a query. */
export function parquetOrJsonRelation(path: string, name: string, { format, gzipped, head }: Recognized): string {
  if (format === "parquet") return `read_parquet(${quotePath(path)})`;
  const isOne = /\.json(\.gz)?$/i.test(name) || Buffer.from(head).toString().trimStart().startsWith("[{");
  const lines = quoteText(isOne ? "auto" : "newline_delimited");
  const compression = quoteText(gzipped ? "gzip" : "uncompressed");
  return `read_json(${quotePath(path)}, format = ${lines}, compression = ${compression})`;
}

/** DuckDB takes a packed file that is cut short for a short file. */
export async function checkGzip(path: string, name: string): Promise<void> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  await pipeline(createReadStream(path), createGunzip(), nowhere).catch(() => {
    throw new RangeError(`${name}: the gzip data is damaged or cut short`);
  });
}
