/** Rows of a table on their way out: CSV, JSON lines or Parquet; a file is written whole or not at all. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { cannotWrite, isRefusedBySystem } from "../../disk/cannotWrite.ts";
import { OutputFile } from "../../disk/outputFile.ts";
import { partOf } from "../../disk/writeWhole.ts";
import { type Cell, csvCell } from "../../text/csvCell.ts";
import { rounded } from "../../text/digits.ts";
import { oneLine } from "../../text/oneLine.ts";
import { terminalLines } from "../../text/terminalText.ts";
import { Database, plainError, quoteName, quotePath, quoteText } from "../tables/database.ts";

export type { Cell } from "../../text/csvCell.ts";

export type OutputFormat = "csv" | "jsonl" | "parquet";

export interface OutputColumn {
  readonly name: string;
  /**
   * A number has the seven digits of a float32, a double all that it has. An id is a text; in Parquet a column of ids
   * that are all whole numbers is one of numbers, as where they came from.
   */
  readonly type: "text" | "id" | "integer" | "number" | "double";
}

/** Takes rows; `end` puts the file into its place, `abandon` leaves nothing behind. */
export interface Output {
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  end(): Promise<void>;
  abandon(): Promise<void>;
}

type Line = (row: readonly Cell[]) => string;

/** How a row looks, for the formats that are text; only CSV is opened by spreadsheets. */
export const lines: Record<"csv" | "jsonl", (columns: readonly OutputColumn[], guardFormulas?: boolean) => Line> = {
  csv: (columns, guardFormulas) => {
    const isDouble = columns.map(({ type }) => type === "double");
    return (row) => {
      let line = "";
      for (let i = 0; i < row.length; i++) {
        if (i > 0) line += ",";
        line += csvCell(isDouble[i] ? exactly(row[i]!) : row[i]!, guardFormulas);
      }
      return `${line}\n`;
    };
  },
  jsonl: (columns) => (row) => {
    const cells = columns.map(({ name, type }, i) => [name, type === "double" ? row[i]! : jsonCell(row[i]!)]);
    return `${JSON.stringify(Object.fromEntries(cells))}\n`;
  },
};

export interface OutputSettings {
  /** A file, claimed already or not; without it, `stream`. */
  readonly out?: string | OutputFile;
  readonly stream?: Writable;
  readonly force?: boolean;
  /** Puts a ' before texts that a spreadsheet would take for a formula; of CSV only. */
  readonly guardFormulas?: boolean;
}

export function checkGuard(format: string, guardFormulas: boolean): void {
  if (!guardFormulas || format === "csv") return;
  throw new RangeError(
    `output: formulas are guarded in csv only, got ${format}; leave out --guard-formulas (guardFormulas)`,
  );
}

/** Names are written as they are, but on a screen, which would obey them. */
export function seenOn(stream: Writable, text: string): string {
  return isScreen(stream) ? terminalLines(text) : text;
}

function isScreen(stream: Writable): boolean {
  return (stream as { readonly isTTY?: boolean }).isTTY === true;
}

/** Letters of a text on a screen, where a line is read; in files and pipes it is whole. */
const longestSeen = 60;

function seenCell(cell: Cell): Cell {
  return typeof cell === "string" ? oneLine(cell, longestSeen) : cell;
}

export async function openOutput(
  format: OutputFormat,
  columns: readonly OutputColumn[],
  { out, stream = process.stdout, force = false, guardFormulas = false }: OutputSettings,
): Promise<Output> {
  checkGuard(format, guardFormulas);
  if (out === undefined) {
    if (format === "parquet")
      throw new RangeError("output: parquet needs a file to be written to; name one with --out");
    return textOutput(format, columns, stream, guardFormulas);
  }
  const claimed = typeof out === "string" ? await OutputFile.claim(out, { force }) : out;
  const { path, part } = claimed;
  const file = createWriteStream(part, { flags: "wx" });
  await once(file, "open").catch(async (error) => {
    await claimed.release();
    throw cannotWrite(path, error);
  });
  // An error may come between two writes, when nobody waits for one.
  let failed: Error | undefined;
  const failing = (error: Error): Error => {
    failed ??= cannotWrite(path, error);
    return failed;
  };
  file.on("error", failing);
  const text = textOutput(format === "parquet" ? "csv" : format, columns, file, guardFormulas);
  const guarded = async (work: () => Promise<unknown>): Promise<void> => {
    if (failed) throw failed;
    await work().catch((error) => {
      throw failing(error);
    });
  };
  const close = (): Promise<void> => {
    file.end();
    return guarded(() => finished(file));
  };
  const abandon = async (): Promise<void> => {
    file.destroy();
    await claimed.release();
  };
  return {
    write: (rows) => guarded(() => text.write(rows)),
    abandon,
    async end() {
      try {
        await guarded(text.end);
        await close();
        if (format === "parquet") await toParquet(path, part, columns);
        await claimed.put();
      } finally {
        await abandon();
      }
    },
  };
}

function textOutput(
  format: "csv" | "jsonl",
  columns: readonly OutputColumn[],
  stream: Writable,
  guardFormulas: boolean,
): Output {
  const whole = lines[format](columns, guardFormulas);
  const line: Line = isScreen(stream) ? (row) => whole(row.map(seenCell)) : whole;
  let begun = false;
  const send = async (text: string): Promise<void> => {
    if (!stream.write(seenOn(stream, text))) await once(stream, "drain");
  };
  const begin = async (): Promise<void> => {
    if (!begun && format === "csv") await send(line(columns.map(({ name }) => name)));
    begun = true;
  };
  return {
    async write(rows) {
      await begin();
      await send(rows.map(line).join(""));
    },
    end: begin,
    async abandon() {},
  };
}

const types = { text: "VARCHAR", id: "VARCHAR", integer: "BIGINT", number: "FLOAT", double: "DOUBLE" } as const;

/** The CSV that has been written becomes Parquet in its place: DuckDB goes through it in pieces, however long it is. */
async function toParquet(path: string, file: string, columns: readonly OutputColumn[]): Promise<void> {
  const explain = (error: Error): Error =>
    isRefusedBySystem(error) ? cannotWrite(path, error) : plainError("parquet", error, 500);
  const parquet = partOf(path);
  const settings = { memory: 500, files: [file, parquet] };
  const database = await Database.open(settings, explain);
  try {
    const typed = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(types[type])}`).join(", ");
    const csv = `read_csv(${quotePath(file)}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', columns = {${typed}})`;
    const ids = columns.filter(({ type }) => type === "id").map(({ name }) => name);
    const whole = await wholeNumbers(database, csv, ids);
    const select = columns.map(({ name }) =>
      whole.has(name) ? `${quoteName(name)}::BIGINT as ${quoteName(name)}` : quoteName(name),
    );
    await database.rows(
      `copy (select ${select.join(", ")} from ${csv}) to ${quoteText(parquet)} (format parquet, compression zstd, use_tmp_file false)`,
    );
    await rename(parquet, file);
  } finally {
    database.close();
    await rm(parquet, { force: true });
  }
}

/** The columns of ids that are whole numbers as people write them: 007 stays a text. */
async function wholeNumbers(database: Database, relation: string, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const others = names.map((name) => {
    const column = quoteName(name);
    return `count(*) filter (${column} is not null and coalesce(try_cast(${column} as bigint)::varchar, '') <> ${column})`;
  });
  const [row] = await database.rows(`select ${others.join(", ")} from ${relation}`);
  return new Set(names.filter((_, i) => Number(row![i]) === 0));
}

/** All digits of a number, as text. */
function exactly(cell: Cell): Cell {
  return typeof cell === "number" && Number.isFinite(cell) ? String(cell) : cell;
}

function jsonCell(cell: Cell): Cell {
  return typeof cell === "number" && !Number.isInteger(cell) ? rounded(cell) : cell;
}
