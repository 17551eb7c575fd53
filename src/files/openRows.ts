/** From a file to rows. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { cannotRead, openRegular } from "../disk/regularFile.ts";
import { isGzip, latin1Text } from "../formats/bytes.ts";
import { checkSettings } from "../settings.ts";
import { leastMemory } from "../tensor/budget.ts";
import { oneLine } from "../text/oneLine.ts";
import { spoolError } from "./kept/bytes.ts";
import { spool, temporaryFolder } from "./kept/temporary.ts";
import { type OpenedRows, type OpenOptions, openSettings } from "./openedRows.ts";
import { isPostgres, recognize } from "./recognize.ts";
import { csvError } from "./tables/csv.ts";
import { Database, plainError } from "./tables/database.ts";
import { withFlatStructs } from "./tables/flatStructs.ts";
import { openRelation } from "./tables/openRelation.ts";
import { openTable } from "./tables/openTable.ts";
import { checkJson, checkParquet } from "./tables/parquetOrJson.ts";

export type { Dropped, Ids, OpenedRows, OpenOptions } from "./openedRows.ts";

/** What DuckDB may use, in megabytes. */
const defaultMemory = 1000;

/**
 * Opens rows by a path, or `-` for standard input: CSV, JSON lines, Parquet, .npy, .npz, IDX, a folder of images, or
 * with `options.sql` whatever a query gives (the source is then only a name). A streamed source is to be closed.
 * What only some sources need is loaded for them: a command that reads a table starts sooner.
 */
export async function openRows(source: string, options: OpenOptions = {}): Promise<OpenedRows> {
  checkOptions(options);
  if (options.sql !== undefined) return openQuery(source, options.sql, options);
  if (source === "-") return openInput(options);
  if (isPostgres(source)) return (await import("./tables/openPostgres.ts")).openPostgres(source, options);
  const found = await stat(source).catch((error) => {
    throw cannotRead(source, error);
  });
  if (found.isDirectory()) return (await import("./images/openImages.ts")).openImages(source, options);
  if (!found.isFile()) {
    throw new RangeError(
      `${source}: must be a file or a folder of images, and is a pipe or a device; what flows past is read from standard input, as -`,
    );
  }
  return openFile(source, source, true, options);
}

/** A table is read more than once, and standard input only flows past: it becomes a file first. */
async function openInput(options: OpenOptions): Promise<OpenedRows> {
  const name = "standard input";
  const folder = await temporaryFolder().catch((error) => {
    throw spoolError(name, error, error.message);
  });
  try {
    const path = join(folder.path, "input");
    await spool(name, options.input ?? process.stdin, path, options.signal).catch((error: Error) => {
      options.signal?.throwIfAborted();
      throw spoolError(name, error, `cannot be read (${oneLine(error.message)})`);
    });
    const opened = await openFile(path, name, false, options);
    if (opened.data.tensor && !opened.beside && !opened.kept) await folder.remove();
    const close = async (): Promise<void> => {
      await opened.close();
      await folder.remove();
    };
    return { ...opened, close };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function openFile(path: string, name: string, hasName: boolean, options: OpenOptions): Promise<OpenedRows> {
  const recognized = await recognize(path, name, hasName);
  const { format } = recognized;
  if (format === "npy" || format === "npz" || format === "idx") {
    const { openArray } = await import("./arrays/openArray.ts");
    return openArray(path, name, { ...recognized, format }, options);
  }
  const table = await openRelation(path, name, { ...recognized, format }, options);
  const { database, relation, guessedTypes, said, marks } = table;
  try {
    const opened = await openTable(database, { where: name, relation, guessedTypes }, options);
    const isHeld = opened.data.tensor !== undefined && !opened.beside && !opened.kept;
    if (isHeld) await table.close();
    return {
      ...opened,
      ...(Object.keys(marks).length > 0 && { marks }),
      description: [opened.description, ...said].join("; "),
      async close() {
        await opened.close();
        if (!isHeld) await table.close();
      },
    };
  } catch (error) {
    await table.close();
    throw error;
  }
}

async function openQuery(source: string, sql: string, options: OpenOptions): Promise<OpenedRows> {
  const where = source === "" || source === "-" ? "sql" : source;
  const query = sql.trim().replace(/;\s*$/, "");
  const { memory = defaultMemory, signal } = options;
  // One thread, since only then a query without an order gives its rows in the same order each time.
  const look = (file: string, isJson: boolean): Promise<void> => checkQueried(file, isJson, signal);
  const settings = { memory, threads: 1, look, ...(signal && { signal }) };
  const database = await Database.openFor(where, query, settings, (error) => explained(where, error, memory));
  // The line break ends a comment that the query may end with.
  return closedOnError(database, async () => {
    const { relation, said } = await withFlatStructs(where, database, `(${query}\n)`);
    const opened = await openTable(database, { where, relation, guessedTypes: false, isQuery: true }, options);
    return { ...opened, description: [opened.description, ...said].join("; ") };
  });
}

/** How files begin that zstd has packed. */
const zstandard = "\x28\xb5\x2f\xfd";

/** What a query names is somebody's file as any other. */
async function checkQueried(file: string, isJson: boolean, signal: AbortSignal | undefined): Promise<void> {
  const { file: opened } = await openRegular(file);
  const start = await opened.read(Buffer.alloc(4), 0, 4, 0).finally(() => opened.close());
  const magic = latin1Text(start.buffer);
  if (magic === "PAR1") await checkParquet(file, file);
  else if (isJson && magic === zstandard) {
    throw new TypeError(`${file}: JSON that is packed by zstd is not looked into, and therefore not read; unpack it`);
  } else if (isJson) await checkJson(file, file, { gzipped: isGzip(start.buffer) }, signal);
}

async function closedOnError<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    database.close();
    throw error;
  }
}

function explained(where: string, error: Error, memory: number): Error {
  return csvError(where, error) ?? plainError(where, error, memory);
}

function checkOptions(options: OpenOptions): void {
  checkSettings("data", options, openSettings);
  const { inMemory, memory, missing } = options;
  if (inMemory !== undefined && !(Number.isSafeInteger(inMemory) && inMemory >= 0)) {
    throw new RangeError(`data: inMemory must be a whole number from 0, got ${inMemory}`);
  }
  if (memory !== undefined && !(Number.isSafeInteger(memory) && memory >= leastMemory)) {
    throw new RangeError(`data: memory must be a whole number of megabytes from ${leastMemory}, got ${memory}`);
  }
  if (missing !== undefined && missing !== "mean" && missing !== "drop" && (typeof missing !== "object" || !missing)) {
    throw new RangeError(`data: missing must be "mean", "drop" or numbers by column, got ${JSON.stringify(missing)}`);
  }
}
