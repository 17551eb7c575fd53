/** Parquet and JSON for DuckDB: formats that say what type their values have. */

import { piecesOf } from "../kept/bytes.ts";
import { gunzipped } from "../kept/gunzipped.ts";
import type { Recognized } from "../recognize.ts";
import { quotePath, quoteText } from "./database.ts";
import { JsonDepth } from "./jsonDepth.ts";

/** Types are guessed from so many records, each at most so many bytes long: what is DuckDB's usual, said aloud. */
const sampled = 20_480;
const largestRecord = 2 ** 24;

/** What stands after `from` in a query. */
export function parquetOrJsonRelation(path: string, name: string, { format, gzipped, head }: Recognized): string {
  if (format === "parquet") return `read_parquet(${quotePath(path)})`;
  const isOne = /\.json(\.gz)?$/i.test(name) || Buffer.from(head).toString().trimStart().startsWith("[{");
  const lines = quoteText(isOne ? "auto" : "newline_delimited");
  const compression = quoteText(gzipped ? "gzip" : "uncompressed");
  return `read_json(${quotePath(path)}, format = ${lines}, compression = ${compression}, sample_size = ${sampled}, maximum_object_size = ${largestRecord})`;
}

/** DuckDB takes a packed file that is cut short for a short file. */
export async function checkGzip(path: string, name: string, signal?: AbortSignal): Promise<void> {
  for await (const _ of gunzipped(path, name, signal));
}

/**
 * Values inside values, at most so deep. DuckDB goes through them by calling itself, and without a bound that ends the
 * process; it does so only with the first records, of which it guesses types.
 */
const deepest = 128;

export async function checkJson(
  path: string,
  name: string,
  { gzipped }: Pick<Recognized, "gzipped">,
  signal?: AbortSignal,
): Promise<void> {
  const depth = new JsonDepth();
  for await (const piece of gzipped ? gunzipped(path, name, signal) : piecesOf(path, name, signal)) {
    depth.see(piece);
    if (depth.most > deepest) {
      throw new RangeError(`${name}: JSON must not be nested deeper than ${deepest} values, it is; is it a table?`);
    }
    if (depth.records >= sampled && depth.seen > largestRecord) return;
  }
}
