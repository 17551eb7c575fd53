/** Parquet and JSON for DuckDB: formats that say what type their values have. */

import { latin1Text } from "../../formats/bytes.ts";
import { parquetDepth } from "../../formats/parquet.ts";
import { bytesOf, piecesOf, withNameInErrors } from "../kept/bytes.ts";
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

/** Lines of JSON whose types are known. */
export function jsonLinesRelation(path: string, types: readonly (readonly [name: string, type: string])[]): string {
  const columns = types.map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`).join(", ");
  return `read_json(${quotePath(path)}, format = 'newline_delimited', columns = {${columns}}, maximum_object_size = ${largestRecord})`;
}

/** DuckDB takes a packed file that is cut short for a short file. */
export async function checkGzip(
  path: string,
  name: string,
  signal?: AbortSignal,
  see: (unpacked: number) => void = () => {},
): Promise<void> {
  let unpacked = 0;
  for await (const piece of gunzipped(path, name, signal)) {
    unpacked += piece.length;
    see(unpacked);
  }
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
    if (depth.seen - depth.ended > largestRecord) {
      throw new RangeError(`${name}: a record of JSON must have ${largestRecord} bytes at most, one has more`);
    }
    if (depth.records >= sampled && depth.seen > largestRecord) return;
  }
}

/** In bytes: the schema of a hundred thousand columns, and more. */
const longestSchema = 2 ** 26;

export function checkDepth(depth: number, where?: string): void {
  if (depth <= deepest) return;
  const name = where === undefined ? "" : `${where}: `;
  throw new RangeError(`${name}columns must not be nested deeper than ${deepest} values, got ${depth}; is it a table?`);
}

/** A file whose columns are deeper inside each other would end the process, as with JSON. */
export async function checkParquet(path: string, name: string): Promise<void> {
  const bytes = await bytesOf(path, name);
  try {
    await withNameInErrors(name, async () => {
      // The last part, its length, and PAR1, as at the beginning; DuckDB says what is wrong where they are not.
      if (bytes.size < 12) return;
      const end = await bytes.read(bytes.size - 8, 8);
      const length = new DataView(end.buffer, end.byteOffset).getUint32(0, true);
      if (latin1Text(end.subarray(4)) !== "PAR1" || length > bytes.size - 12) return;
      const depth = parquetDepth(await bytes.read(bytes.size - 8 - length, Math.min(length, longestSchema)));
      checkDepth(depth);
    });
  } finally {
    await bytes.close();
  }
}
