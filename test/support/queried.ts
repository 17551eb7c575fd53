/** What DuckDB answers to whoever has no bounds, for tests of what is written for databases. */

import { DuckDBInstance } from "@duckdb/node-api";

export async function queried(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" });
  try {
    const connection = await instance.connect();
    return (await connection.runAndReadAll(sql)).getRowsJS();
  } finally {
    instance.closeSync();
  }
}
