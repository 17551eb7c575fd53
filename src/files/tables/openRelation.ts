/** A file of rows as DuckDB reads it, whatever its format: a table in a database that may read nothing else. */

import { join } from "node:path";
import { eightBitEncoding, encodingNames, inUtf8 } from "../encoding.ts";
import { piecesOf, readStart, spoolError } from "../kept/bytes.ts";
import { gunzipped } from "../kept/gunzipped.ts";
import { spool, type TemporaryFolder, temporaryFolder } from "../kept/temporary.ts";
import type { OpenOptions } from "../openedRows.ts";
import type { Recognized } from "../recognize.ts";
import { checkFirstLine, csvError, csvRelation } from "./csv.ts";
import { csvTable, type Table } from "./csvTable.ts";
import { Database, databaseMemory, plainError } from "./database.ts";
import { withFlatStructs } from "./flatStructs.ts";
import { checkJson, checkParquet, parquetOrJsonRelation } from "./parquetOrJson.ts";

export interface OpenedTable extends Table {
  readonly database: Database;
  /** Whether all values were text and their types are guessed, as in CSV. */
  readonly guessedTypes: boolean;
  close(): Promise<void>;
}

/** A file that DuckDB reads in the place of another. */
interface Readable {
  readonly path: string;
  readonly recognized: Recognized;
  readonly said: readonly string[];
  readonly folder?: TemporaryFolder;
}

interface TableOptions extends OpenOptions {
  /** Texts stay texts, whatever they look like. */
  readonly isAsWritten?: boolean;
}

export async function openRelation(
  path: string,
  name: string,
  recognized: Recognized,
  options: TableOptions,
): Promise<OpenedTable> {
  const file = await inPlainText(path, name, recognized, options.signal);
  try {
    await check(file, name, options.signal);
    const memory = databaseMemory(options.memory);
    const settings = { memory, files: [file.path], ...(options.signal && { signal: options.signal }) };
    const explain = (error: Error): Error => csvError(name, error) ?? plainError(name, error, memory);
    const database = await Database.open(settings, explain);
    try {
      const table = await tableOf(database, file, name, options);
      const close = async (): Promise<void> => {
        database.close();
        await file.folder?.remove();
      };
      return { ...table, said: [...file.said, ...table.said], database, close };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    await file.folder?.remove();
    throw error;
  }
}

/** The file itself, or one on the side that is the same text in UTF-8. */
async function inPlainText(
  path: string,
  name: string,
  recognized: Recognized,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const { format, gzipped } = recognized;
  if (format !== "csv" && format !== "json") return { path, recognized, said: [] };
  const pieces = (): AsyncIterable<Uint8Array> =>
    gzipped ? gunzipped(path, name, signal) : piecesOf(path, name, signal);
  const encoding = recognized.encoding ?? (await eightBitEncoding(name, pieces()));
  if (encoding === "utf-8") return { path, recognized, said: [] };
  const aside = await fileAside(name, inUtf8(name, pieces(), encoding), signal);
  return {
    ...aside,
    recognized: { format, gzipped: false, head: await readStart(aside.path, 2 ** 16) },
    said: [`text in ${encodingNames[encoding]}`],
  };
}

/** In the system's folder for temporary files (TMPDIR). */
async function fileAside(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<{ path: string; folder: TemporaryFolder }> {
  const said = (error: Error): Error => spoolError(name, error, error.message);
  const folder = await temporaryFolder().catch((error) => Promise.reject(said(error)));
  const path = join(folder.path, "rows");
  try {
    await spool(name, pieces, path, signal);
    return { path, folder };
  } catch (error) {
    await folder.remove();
    signal?.throwIfAborted();
    throw said(error as Error);
  }
}

/** What DuckDB would fail at without a word, or take the process down with. */
async function check({ path, recognized }: Readable, name: string, signal: AbortSignal | undefined): Promise<void> {
  if (recognized.format === "csv") await checkFirstLine(path, name, recognized, signal);
  else if (recognized.format === "json") await checkJson(path, name, recognized, signal);
  else await checkParquet(path, name);
}

async function tableOf(
  database: Database,
  { path, recognized }: Readable,
  name: string,
  options: TableOptions,
): Promise<Table & { guessedTypes: boolean }> {
  const { format, head, gzipped } = recognized;
  if (format === "csv") {
    const table = await csvTable(database, csvRelation(path, name, head, gzipped), options);
    return { ...table, guessedTypes: true };
  }
  const relation = parquetOrJsonRelation(path, name, recognized);
  return { ...(await withFlatStructs(name, database, relation)), marks: {}, guessedTypes: false };
}
