/** A folder for a test file's files, removed after it. */
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll } from "vitest";

export const folder = mkdtempSync(join(tmpdir(), "telltale-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** The result of a query as a Parquet file. */
export async function parquet(name: string, query: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`copy (${query}) to '${path}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
  return path;
}
