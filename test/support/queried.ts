/** What DuckDB answers, for tests of what is written for databases. */

import { Database } from "../../src/files/tables/database.ts";

export async function queried(sql: string): Promise<unknown[][]> {
  const database = await Database.open({ memory: 200 }, (error) => error);
  try {
    return await database.rows(sql);
  } finally {
    database.close();
  }
}
