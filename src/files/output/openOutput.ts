/** Rows of a table on their way out: CSV, JSON lines or Parquet; a file is written whole or not at all. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { cannotWrite, isRefusedBySystem } from "../../disk/cannotWrite.ts";
import { OutputFile } from "../../disk/outputFile.ts";
import { partOf } from "../../disk/writeWhole.ts";
import { Database, plainError, quoteName, quotePath, quoteText } from "../tables/database.ts";
import { digits, rounded } from "./digits.ts";

export type OutputFormat = "csv" | "jsonl" | "parquet";
export type Cell = string | number | null;

export interface OutputColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "number";
}

/** Takes rows; `end` puts the file into its place, `abandon` leaves nothing behind. */
export interface Output {
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  end(): Promise<void>;
  abandon(): Promise<void>;
}

/** How a row looks, for the formats that are text. */
export const lines: Record<"csv" | "jsonl", (columns: readonly OutputColumn[]) => (row: readonly Cell[]) => string> = {
  csv: () => (row) => {
    let line = csvCell(row[0]!);
    for (let i = 1; i < row.length; i++) line += `,${csvCell(row[i]!)}`;
    return `${line}\n`;
  },
  jsonl: (columns) => (row) => {
    const cells = columns.map(({ name }, i) => [name, jsonCell(row[i]!)]);
    return `${JSON.stringify(Object.fromEntries(cells))}\n`;
  },
};

export async function openOutput(
  format: OutputFormat,
  columns: readonly OutputColumn[],
  { out, stream = process.stdout, force = false }: { out?: string | OutputFile; stream?: Writable; force?: boolean },
): Promise<Output> {
  if (out === undefined) {
    if (format === "parquet")
      throw new RangeError("output: parquet needs a file to be written to; name one with --out");
    return textOutput(format, columns, stream);
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
  const text = textOutput(format === "parquet" ? "csv" : format, columns, file);
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

function textOutput(format: "csv" | "jsonl", columns: readonly OutputColumn[], stream: Writable): Output {
  const line = lines[format](columns);
  let begun = false;
  const send = async (text: string): Promise<void> => {
    if (!stream.write(text)) await once(stream, "drain");
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

const types = { text: "VARCHAR", integer: "BIGINT", number: "FLOAT" } as const;

/** The CSV that has been written becomes Parquet in its place: DuckDB goes through it in pieces, however long it is. */
async function toParquet(path: string, file: string, columns: readonly OutputColumn[]): Promise<void> {
  const explain = (error: Error): Error =>
    isRefusedBySystem(error) ? cannotWrite(path, error) : plainError("parquet", error, 500);
  const database = await Database.open({ memory: 500 }, explain);
  const parquet = partOf(path);
  try {
    const typed = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(types[type])}`).join(", ");
    const csv = `read_csv(${quotePath(file)}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', columns = {${typed}})`;
    const texts = columns.filter(({ type }) => type === "text").map(({ name }) => name);
    const whole = await wholeNumbers(database, csv, texts);
    const select = columns.map(({ name }) =>
      whole.has(name) ? `${quoteName(name)}::BIGINT as ${quoteName(name)}` : quoteName(name),
    );
    await database.rows(
      `copy (select ${select.join(", ")} from ${csv}) to ${quoteText(parquet)} (format parquet, compression zstd)`,
    );
    await rename(parquet, file);
  } finally {
    database.close();
    await rm(parquet, { force: true });
  }
}

/** The columns of text that are whole numbers as people write them: ids stay what they were, and 007 stays a text. */
async function wholeNumbers(database: Database, relation: string, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const others = names.map((name) => {
    const column = quoteName(name);
    return `count(*) filter (${column} is not null and coalesce(try_cast(${column} as bigint)::varchar, '') <> ${column})`;
  });
  const [row] = await database.rows(`select ${others.join(", ")} from ${relation}`);
  return new Set(names.filter((_, i) => Number(row![i]) === 0));
}

function jsonCell(cell: Cell): Cell {
  return typeof cell === "number" && !Number.isInteger(cell) ? rounded(cell) : cell;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? digits(cell) : "";
  return /[",\n\r]/.test(cell) || cell === "" ? `"${cell.replaceAll('"', '""')}"` : cell;
}
