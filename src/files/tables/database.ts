/** DuckDB, kept within bounds: a memory limit, no file but the named ones, nothing downloaded, errors of one line. */

import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance, DuckDBType } from "@duckdb/node-api";
import { leastMemory, memoryLimit } from "../../tensor/budget.ts";
import { threadsSaid } from "../../tensor/threads.ts";
import { oneLine } from "../../text/oneLine.ts";
import { duckDb } from "../../text/sql.ts";
import { filesOfQuery, type QueryFiles } from "./readingQuery.ts";

/** In megabytes, what DuckDB gets unless a person says how much all may use. */
const usual = 1000;

/** DuckDB's part of what may be used, in megabytes. */
export function databaseMemory(memory?: number): number {
  const half = Math.max(leastMemory, Math.floor(memoryLimit(memory) / 2e6));
  return memory === undefined ? Math.min(usual, half) : half;
}

interface Settings {
  /** In megabytes. */
  readonly memory: number;
  /** All cores, or what this process has been given (TELLTALE_THREADS), unless said. */
  readonly threads?: number;
  /** Whether an extension asks for a store of secrets: it gets an empty one. */
  readonly wantsSecrets?: boolean;
  /** Ends queries, which may read all of a large file. */
  readonly signal?: AbortSignal;
}

/** Looks at a file of somebody's own before DuckDB reads it, perhaps as JSON. */
type Look = (file: string, isJson: boolean) => Promise<void>;

/** Turns DuckDB's error into ours. */
type Explain = (error: Error) => Error;

export class Database {
  readonly #instance: DuckDBInstance;
  readonly #explain: Explain;
  readonly #signal: AbortSignal | undefined;
  readonly #described = new Map<string, Promise<readonly unknown[][]>>();
  #isClosed = false;

  private constructor(instance: DuckDBInstance, explain: Explain, signal: AbortSignal | undefined) {
    this.#instance = instance;
    this.#explain = explain;
    this.#signal = signal;
  }

  /** For the named files and no others: they are read, and written where a statement of ours does. */
  static async open(settings: Settings & { files: readonly string[] }, explain: Explain): Promise<Database> {
    const paths = settings.files.flatMap((path) => [path, asPattern(path)]);
    return Database.#create(settings, explain, async () => ({ paths, folders: [] }));
  }

  /** For another database and no file: `first` attaches it, before all else is closed off. */
  static async openAttached(settings: Settings & { first: readonly string[] }, explain: Explain): Promise<Database> {
    return Database.#create(settings, explain, async (database) => {
      for (const statement of settings.first) await database.rows(statement);
      return { paths: [], folders: [] };
    });
  }

  /** For a query of a person's own, if it only reads: it reads the files that it names, each looked at before. */
  static async openFor(where: string, query: string, settings: Settings & { look: Look }, explain: Explain) {
    return Database.#create(settings, explain, async (database) => {
      const [[tree]] = (await database.rows(`select json_serialize_sql(${quoteText(query)})`)) as [[string]];
      const files = filesOfQuery(where, tree);
      for (const path of files.paths) {
        // What is no file, or none of this machine, is dealt with by the query.
        const found = await database.rows(`select file from glob(${quoteText(path)})`).catch(() => []);
        for (const [file] of found) await settings.look(String(file), files.json.includes(path));
      }
      return files;
    });
  }

  static async #create(
    { memory, threads = threadsSaid(), wantsSecrets, signal }: Settings,
    explain: Explain,
    files: (database: Database) => Promise<Pick<QueryFiles, "paths" | "folders">>,
  ): Promise<Database> {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const aside = (): string => join(tmpdir(), `telltale-${randomUUID()}`);
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${memory}MB`,
      ...(threads ? { threads: String(threads) } : {}),
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
      allow_unsigned_extensions: "false",
      ...(wantsSecrets ? { secret_directory: aside() } : { allow_persistent_secrets: "false" }),
      // Made when something does not fit, and removed by DuckDB; it would be .tmp in the current folder.
      temp_directory: aside(),
    });
    const database = new Database(instance, explain, signal);
    try {
      // A moment with its zone is the same number on every machine.
      await database.rows("set global timezone = 'UTC'");
      await database.#lockTo(await files(database));
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Nothing else can be reached from now on, nor any of this undone. */
  async #lockTo({ paths, folders }: Pick<QueryFiles, "paths" | "folders">): Promise<void> {
    const listed = (texts: readonly string[]): string => `[${texts.map(quoteText).join(", ")}]`;
    await this.rows(
      `set allowed_paths = ${listed(paths)}; set allowed_directories = ${listed(folders)}; set enable_external_access = false; set lock_configuration = true`,
    );
  }

  /** A small result, as plain values. */
  async rows(sql: string): Promise<unknown[][]> {
    const { connection, close } = await this.#connected();
    try {
      return await this.#guarded(async () => (await connection.runAndReadAll(sql)).getRowsJS());
    } finally {
      close();
    }
  }

  /** Names and types of the columns of what stands after `from`, each asked for once: a CSV file is read for it. */
  described(relation: string): Promise<readonly unknown[][]> {
    const known = this.#described.get(relation) ?? this.rows(`describe select * from ${relation}`);
    this.#described.set(relation, known);
    return known;
  }

  /** The columns of a query, which does not run. */
  async columns(sql: string): Promise<{ readonly name: string; readonly type: DuckDBType }[]> {
    const { connection, close } = await this.#connected();
    try {
      const result = await this.#guarded(async () => connection.run(`select * from (${sql}\n) limit 0`));
      return result.columnNames().map((name, i) => ({ name, type: result.columnType(i) }));
    } finally {
      close();
    }
  }

  /**
   * A large result, a chunk of about 2,048 rows at a time. It has a connection of its own, so that several can be read
   * side by side.
   */
  async *stream(sql: string): AsyncGenerator<DuckDBDataChunk> {
    const { connection, close } = await this.#connected();
    try {
      const result = await this.#guarded(() => connection.stream(sql));
      for (;;) {
        const chunk = await this.#guarded(() => result.fetchChunk());
        if (!chunk || chunk.rowCount === 0) return;
        yield chunk;
      }
    } finally {
      close();
    }
  }

  /** A connection whose query, whatever it is at, is ended by the signal. */
  async #connected(): Promise<{ connection: DuckDBConnection; close: () => void }> {
    this.#signal?.throwIfAborted();
    const connection = await this.#instance.connect();
    const interrupt = (): void => connection.interrupt();
    this.#signal?.addEventListener("abort", interrupt);
    const close = (): void => {
      this.#signal?.removeEventListener("abort", interrupt);
      connection.closeSync();
    };
    return { connection, close };
  }

  /** Also where it is closed already. */
  close(): void {
    if (!this.#isClosed) this.#instance.closeSync();
    this.#isClosed = true;
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw this.#explain(error as Error);
    }
  }
}

export const { text: quoteText, name: quoteName } = duckDb;

/** A path for DuckDB, which would take *, ? and [ for a pattern. */
export function quotePath(path: string): string {
  return quoteText(asPattern(path));
}

function asPattern(path: string): string {
  return path.replaceAll(/[*?[]/g, "[$&]");
}

/** DuckDB's error in one line: what happened, without its advice on options that people here do not have. */
export function plainError(where: string, error: Error, memory: number): Error {
  const [kind = "", first = ""] = splitKind(error.message.split("\n").find((line) => line.trim() !== "") ?? "");
  if (/out of memory/i.test(kind)) {
    return new RangeError(`${where}: DuckDB needs more than its memory limit of ${memory} MB; raise it with --memory`);
  }
  if (/missing extension/i.test(kind)) {
    return new RangeError(`${where}: only local files are read, and nothing is downloaded: ${oneLine(first)}`);
  }
  if (/permission/i.test(kind)) {
    return new RangeError(`${where}: only files that are named are read: ${oneLine(first.split(" - ")[0]!)}`);
  }
  // Of what is read as JSON or Parquet; DuckDB's reasons are for those who know the formats.
  const [, byte, unit, place, reason] =
    /^Malformed JSON in file ".*", at byte (\d+) in (line|record\/value) (\d+): ([^.]*)/.exec(first) ?? [];
  if (byte !== undefined) {
    const at = `${unit === "line" ? "line" : "record"} ${place}, byte ${byte}`;
    return new RangeError(`${where}: the JSON is damaged or cut short at ${at}: ${oneLine(reason!)}`);
  }
  if (/\bfooter\b|magic bytes|thrift|TProtocol/i.test(first)) {
    return new RangeError(`${where}: the Parquet data is damaged or cut short (${oneLine(first)})`);
  }
  return new RangeError(`${where}: ${oneLine(first)}`);
}

function splitKind(line: string): [string, string] {
  const [, kind = "", rest = line] =
    /^(?:Failed to extract statements: )?([A-Z][A-Za-z ]*Error): (.*)$/s.exec(line) ?? [];
  return [kind, rest];
}
