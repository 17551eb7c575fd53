/** DuckDB, kept within bounds: a memory limit, nothing downloaded, and errors of one line. */

import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from "@duckdb/node-api";
import { leastMemory, memoryLimit } from "../../tensor/budget.ts";

/** In megabytes, what DuckDB gets unless a person says how much all may use. */
const usual = 1000;

/** DuckDB's part of what may be used, in megabytes. */
export function databaseMemory(memory?: number): number {
  const half = Math.max(leastMemory, Math.floor(memoryLimit(memory) / 2e6));
  return memory === undefined ? Math.min(usual, half) : half;
}

export class Database {
  readonly #instance: DuckDBInstance;
  readonly #explain: (error: Error) => Error;
  readonly #signal: AbortSignal | undefined;

  private constructor(instance: DuckDBInstance, explain: (error: Error) => Error, signal: AbortSignal | undefined) {
    this.#instance = instance;
    this.#explain = explain;
    this.#signal = signal;
  }

  /** `explain` turns DuckDB's error into ours; `signal` ends small queries, which may read all of a large file. */
  static async open(
    settings: { memory: number; threads?: number; signal?: AbortSignal },
    explain: (error: Error) => Error,
  ): Promise<Database> {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${settings.memory}MB`,
      ...(settings.threads ? { threads: String(settings.threads) } : {}),
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      // Made when something does not fit, and removed by DuckDB; it would be .tmp in the current folder.
      temp_directory: join(tmpdir(), `telltale-${randomUUID()}`),
    });
    const database = new Database(instance, explain, settings.signal);
    // A query cannot undo any of this.
    await database.rows("set lock_configuration = true");
    return database;
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

  /** Whether this is one query that reads: not two, and nothing that writes or sets. */
  async isQuery(sql: string): Promise<boolean> {
    return this.#guarded(async () => {
      const connection = await this.#instance.connect();
      try {
        const statements = await connection.extractStatements(sql);
        if (statements.count !== 1) return false;
        const { StatementType } = await import("@duckdb/node-api");
        return (await statements.prepare(0)).statementType === StatementType.SELECT;
      } finally {
        connection.closeSync();
      }
    });
  }

  close(): void {
    this.#instance.closeSync();
  }

  /** A connection whose query ends when the signal comes. */
  async #connected(): Promise<{ readonly connection: DuckDBConnection; close(): void }> {
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

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw this.#explain(error as Error);
    }
  }
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A path for DuckDB, which would take *, ? and [ for a pattern. */
export function quotePath(path: string): string {
  return quoteText(path.replaceAll(/[*?[]/g, "[$&]"));
}

/** DuckDB's error in one line: what happened, without its advice on options that people here do not have. */
export function plainError(where: string, error: Error, memory: number): Error {
  const [kind = "", first = ""] = splitKind(error.message.split("\n").find((line) => line.trim() !== "") ?? "");
  if (/out of memory/i.test(kind)) {
    return new RangeError(`${where}: DuckDB needs more than its memory limit of ${memory} MB; raise memory`);
  }
  if (/missing extension/i.test(kind)) {
    return new RangeError(`${where}: only local files are read, and nothing is downloaded: ${shortened(first)}`);
  }
  return new RangeError(`${where}: ${shortened(first)}`);
}

function splitKind(line: string): [string, string] {
  const [, kind = "", rest = line] =
    /^(?:Failed to extract statements: )?([A-Z][A-Za-z ]*Error): (.*)$/s.exec(line) ?? [];
  return [kind, rest];
}

export function shortened(text: string, most = 200): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
