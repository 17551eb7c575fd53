/** A file of rows as DuckDB reads it, whatever its format: a table in a database that may read nothing else. */

import { join } from "node:path";
import { statRegular } from "../../disk/regularFile.ts";
import { oneLine } from "../../text/oneLine.ts";
import { eightBitEncoding, encodingNames, inUtf8 } from "../encoding.ts";
import { piecesOf, readStart, spoolError } from "../kept/bytes.ts";
import { gunzipped } from "../kept/gunzipped.ts";
import { spool, type TemporaryFolder, temporaryFolder } from "../kept/temporary.ts";
import type { OpenOptions } from "../openedRows.ts";
import type { Format, Recognized } from "../recognize.ts";
import { checkFirstLine, csvError, csvRelation } from "./csv.ts";
import { csvTable, type Table } from "./csvTable.ts";
import { Database, databaseMemory, plainError, quoteText } from "./database.ts";
import { withFlatStructs } from "./flatStructs.ts";
import { checkJson, checkParquet, jsonLinesRelation, parquetOrJsonRelation } from "./parquetOrJson.ts";

export interface OpenedTable extends Table {
  readonly database: Database;
  /** Whether all values were text and their types are guessed, as in CSV. */
  readonly guessedTypes: boolean;
  close(): Promise<void>;
}

interface TableOptions extends OpenOptions {
  /** Texts stay texts, whatever they look like. */
  readonly isAsWritten?: boolean;
}

/** A file that DuckDB reads, and how: the one that was named, or one on the side in its place. */
interface Readable {
  readonly path: string;
  readonly said: readonly string[];
  readonly folder?: TemporaryFolder;
  /** A database is not read as a file. */
  readonly isDatabase?: boolean;
  read(database: Database): Promise<Table & { readonly guessedTypes: boolean }>;
}

type Open = (path: string, name: string, recognized: Recognized, options: TableOptions) => Promise<Readable>;

export type TableFormat = Exclude<Format, "npy" | "npz" | "idx">;

/** How each kind of file becomes a table; what only some need is loaded for them. */
const openers: Readonly<Record<TableFormat, Open>> = {
  csv: openText,
  json: openText,
  parquet: openParquet,
  xlsx: openWorkbook,
  arrow: openArrowTable,
  duckdb: openDatabase,
};

export async function openRelation(
  path: string,
  name: string,
  recognized: Recognized & { readonly format: TableFormat },
  options: TableOptions,
): Promise<OpenedTable> {
  const { format } = recognized;
  if (options.table !== undefined && format !== "xlsx" && format !== "duckdb") {
    throw new RangeError(`${name}: --table names a sheet of an .xlsx file or a table of a .duckdb file; leave it out`);
  }
  const file = await openers[format](path, name, recognized, options);
  try {
    const memory = databaseMemory(options.memory);
    const explain = (error: Error): Error => csvError(name, error) ?? plainError(name, error, memory);
    const settings = { memory, ...(options.signal && { signal: options.signal }) };
    const attach = `attach ${quoteText(file.path)} as rows (type duckdb, read_only)`;
    const database = file.isDatabase
      ? await Database.openAttached({ ...settings, first: [attach] }, explain)
      : await Database.open({ ...settings, files: [file.path] }, explain);
    try {
      const table = await file.read(database);
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
async function openText(path: string, name: string, recognized: Recognized, options: TableOptions): Promise<Readable> {
  const { gzipped } = recognized;
  const { signal } = options;
  const pieces = (): AsyncIterable<Uint8Array> =>
    gzipped ? gunzipped(path, name, signal) : piecesOf(path, name, signal);
  const encoding = recognized.encoding ?? (await eightBitEncoding(name, pieces()));
  if (encoding === "utf-8") return checkedText({ path, said: [] }, name, recognized, options);
  const aside = await fileAside(name, inUtf8(name, pieces(), encoding), signal);
  const said = [`text in ${encodingNames[encoding]}`];
  const { format } = recognized;
  return checkedText(
    { ...aside, said },
    name,
    { format, gzipped: false, head: await readStart(aside.path, 2 ** 16) },
    options,
  );
}

async function checkedText(
  file: Omit<Readable, "read">,
  name: string,
  recognized: Recognized,
  options: TableOptions,
): Promise<Readable> {
  const { path } = file;
  const { format, gzipped, head } = recognized;
  if (format === "csv") {
    await checkFirstLine(path, name, recognized, options.signal);
    const csv = csvRelation(path, name, head, gzipped);
    return { ...file, read: async (database) => ({ ...(await csvTable(database, csv, options)), guessedTypes: true }) };
  }
  await checkJson(path, name, recognized, options.signal);
  return { ...file, read: (database) => typedTable(database, name, parquetOrJsonRelation(path, name, recognized)) };
}

async function openParquet(path: string, name: string, recognized: Recognized): Promise<Readable> {
  await checkParquet(path, name);
  const relation = parquetOrJsonRelation(path, name, recognized);
  return { path, said: [], read: (database) => typedTable(database, name, relation) };
}

/** Its cells are texts to us, as those of CSV are. */
async function openWorkbook(path: string, name: string, _: Recognized, options: TableOptions): Promise<Readable> {
  const [{ openSheet }, { csvOf, outlineOf }] = await Promise.all([import("./workbook.ts"), import("./sheetText.ts")]);
  const sheet = await openSheet(path, name, options);
  try {
    const outline = await outlineOf(sheet);
    if (outline.columns.length === 0) {
      const cure = sheet.of > 1 ? `; name another of its ${sheet.of} with --table` : "";
      throw new RangeError(`${name}: the sheet "${oneLine(sheet.name, 40)}" is empty${cure}`);
    }
    const aside = await fileAside(name, csvOf(name, sheet, outline), options.signal);
    const { above } = outline;
    const said = [
      `sheet "${oneLine(sheet.name, 40)}"${sheet.of > 1 ? ` of ${sheet.of} (--table names another)` : ""}`,
      ...(above > 0 ? [`skipping ${above} ${above === 1 ? "row" : "rows"} above the names`] : []),
    ];
    const head = await readStart(aside.path, 2 ** 16);
    return await checkedText({ ...aside, said }, name, { format: "csv", gzipped: false, head }, options);
  } finally {
    await sheet.close();
  }
}

async function openArrowTable(path: string, name: string, _: Recognized, options: TableOptions): Promise<Readable> {
  const { openArrow } = await import("./openArrow.ts");
  const arrow = await openArrow(path, name, options);
  try {
    const { path: lines, folder } = await fileAside(name, arrow.lines(), options.signal);
    const relation = jsonLinesRelation(lines, arrow.types);
    return { path: lines, folder, said: [], read: (database) => typedTable(database, name, relation) };
  } finally {
    await arrow.close();
  }
}

async function openDatabase(path: string, name: string, _: Recognized, { table }: TableOptions): Promise<Readable> {
  await statRegular(path, name);
  const { attachedTable } = await import("./attachedTable.ts");
  const read: Readable["read"] = async (database) =>
    typedTable(database, name, await attachedTable(database, name, table));
  return { path, said: [], isDatabase: true, read };
}

/** A table that says what type its values have. */
async function typedTable(
  database: Database,
  name: string,
  relation: string,
): Promise<Table & { readonly guessedTypes: boolean }> {
  return { ...(await withFlatStructs(name, database, relation)), marks: {}, guessedTypes: false };
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
