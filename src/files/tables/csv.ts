/** CSV for DuckDB: strictly, with the separator of the first line, and with errors that name the line. */

import { oneLine } from "../../text/oneLine.ts";
import { piecesOf } from "../kept/bytes.ts";
import { gunzipped } from "../kept/gunzipped.ts";
import type { Recognized } from "../recognize.ts";
import { type Database, quoteName, quotePath, quoteText } from "./database.ts";

/** What people write for "there is no value". In quotes they are text. */
export const absent = ["", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "\\N", "?"];

export interface Csv {
  /** What stands after `from` in a query. */
  readonly relation: string;
  /** The same with commas before the decimals of its numbers. */
  readonly withCommas: string;
  /**
   * The same with the first line as names and nothing guessed: read when guessing failed, since it says which line is
   * wrong.
   */
  readonly plain: string;
  /** The same with the first line as a row like the others. */
  readonly unnamed: string;
  readonly separator: string;
}

export function csvRelation(path: string, name: string, head: Uint8Array, gzipped: boolean): Csv {
  const text = Buffer.from(head)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  // A line that some spreadsheets write before all others, and read as what parts the cells.
  const [before = "", said] = /^sep=(.)\r?\n/i.exec(text) ?? [];
  const rest = text.slice(before.length);
  const line = rest.slice(0, endOfRecord(rest));
  const separator = said ?? (/\.(tsv|tab)(\.gz)?$/i.test(name) ? "\t" : separatorOf(line));
  const options = [
    `delim = ${quoteText(separator)}, quote = '"', escape = '"', comment = '', skip = ${said === undefined ? 0 : 1}`,
    `strict_mode = true, null_padding = false, ignore_errors = false`,
    `nullstr = [${absent.map(quoteText).join(", ")}], allow_quoted_nulls = false`,
    `compression = ${quoteText(gzipped ? "gzip" : "none")}`,
  ].join(", ");
  const count = Math.max(1, unquoted(line).split(separator).length);
  const columns = Array.from({ length: count }, (_, i) => `'c${i}': 'VARCHAR'`).join(", ");
  return {
    separator,
    relation: `read_csv(${quotePath(path)}, ${options})`,
    withCommas: `read_csv(${quotePath(path)}, ${options}, decimal_separator = ',')`,
    plain: `read_csv(${quotePath(path)}, ${options}, auto_detect = false, header = true, columns = {${columns}})`,
    unnamed: `read_csv(${quotePath(path)}, ${options}, auto_detect = false, header = false, columns = {${columns}})`,
  };
}

/** A name may have a line break inside its quotes; where a quote is never closed, the first break is the end. */
function endOfRecord(text: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (text[at] === "\n" || text[at] === "\r")) return at;
  }
  return isQuoted ? text.search(/[\r\n]|$/) : text.length;
}

/** DuckDB reads no longer line, and takes gigabytes to find that out where the first is. */
const longestLine = 2 ** 21;

/** Refuses a file whose first line is longer than any that can be read. */
export async function checkFirstLine(
  path: string,
  name: string,
  { head, gzipped }: Pick<Recognized, "head" | "gzipped">,
  signal?: AbortSignal,
): Promise<void> {
  const isEnd = (byte: number): boolean => byte === 10 || byte === 13;
  if (head.some(isEnd)) return;
  let length = 0;
  for await (const piece of gzipped ? gunzipped(path, name, signal) : piecesOf(path, name, signal)) {
    const end = piece.findIndex(isEnd);
    length += end < 0 ? piece.length : end;
    if (length > longestLine) {
      throw new RangeError(
        `${name}: line 1 must have ${longestLine} letters at most, it has more; is it a table? Many columns are better kept as Parquet or .npy`,
      );
    }
    if (end >= 0) return;
  }
}

/** DuckDB's report on a line, in our words; undefined where it names none. */
export function csvError(name: string, { message }: Error): Error | undefined {
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  if (line === undefined) return undefined;
  const where = `${name}: line ${line}`;
  const original = oneLine(/Original Line: (.*)/.exec(message)?.[1] ?? "", 80);
  const [, expected, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? [];
  if (expected) {
    return new RangeError(`${where} must have ${expected} values as the first line has, it has ${found}: ${original}`);
  }
  const [, column, value] = /converting column "(.*)"\. Could not convert string "(.*)" to/.exec(message) ?? [];
  if (column !== undefined) {
    return new RangeError(
      `${where}: column ${column} must be numbers as in the lines before, got "${oneLine(value ?? "", 40)}"; correct it, or leave the column out with --ignore`,
    );
  }
  if (/unterminated quote/.test(message))
    return new RangeError(`${where}: a quote (") is opened and never closed: ${original}`);
  if (/unicode|utf-8/i.test(message)) return new RangeError(`${where}: must be UTF-8; save the file as UTF-8`);
  const reason = message
    .split("\n")
    .find((text) => text.trim() !== "" && !/^(.*CSV Error on|Original) Line/.test(text));
  return new RangeError(`${where}: ${oneLine(reason ?? "cannot be read")}`);
}

/**
 * Vectors as people write them into CSV, "[0.1, 0.2]", become lists: a text of which the first rows are all of this
 * kind is one.
 */
export async function withVectors(
  database: Database,
  relation: string,
  described: readonly unknown[][],
): Promise<string> {
  const texts = described.filter(([, type]) => type === "VARCHAR").map(([name]) => String(name));
  if (texts.length === 0) return relation;
  // Few columns begin like one: the others are not looked at, however many or long they are.
  const begins = texts.map((name) => `left(${quoteName(name)}, 1)`);
  const first = await database.rows(`select ${begins.join(", ")} from ${relation} limit 20`);
  const likely = texts.filter((_, i) => first.some((row) => row[i] === "["));
  if (likely.length === 0) return relation;
  const counts = likely.map((name) => `count(${quoteName(name)}), count(try_cast(${quoteName(name)} as float[]))`);
  const [row] = await database.rows(`select ${counts.join(", ")} from (select * from ${relation} limit 100)`);
  const vectors = likely.filter((_, i) => row![2 * i] === row![2 * i + 1]);
  if (vectors.length === 0) return relation;
  const lists = vectors.map((name) => `${quoteName(name)}::float[] as ${quoteName(name)}`);
  return `(select * replace (${lists.join(", ")}) from ${relation})`;
}

/** Fails with the line that is wrong, where there is one. */
export async function findWrongLine(database: Database, { plain }: Csv): Promise<void> {
  for await (const _ of database.stream(`select * from ${plain}`));
}

export function separatorOf(line: string): string {
  const bare = unquoted(line);
  const counts = [",", "\t", ";", "|"].map((separator) => ({ separator, count: bare.split(separator).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

function unquoted(line: string): string {
  return line.replaceAll(/"[^"]*"/g, "");
}
