/** A table of Postgres, by DuckDB's extension for it where somebody has installed that: nothing is downloaded here. */

import { shellText } from "../../text/shellText.ts";
import type { OpenedRows, OpenOptions } from "../openedRows.ts";
import { attachedTable } from "./attachedTable.ts";
import { Database, databaseMemory, plainError, quoteText } from "./database.ts";
import { withFlatStructs } from "./flatStructs.ts";
import { openTable } from "./openTable.ts";

export async function openPostgres(address: string, options: OpenOptions): Promise<OpenedRows> {
  // An address is written to run folders and printed.
  if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(address) || /[?&]password=/i.test(address)) {
    throw new RangeError(
      "postgres: the address must not have the password in it, since runs keep the address; set PGPASSWORD, or write it to ~/.pgpass",
    );
  }
  const memory = databaseMemory(options.memory);
  const explain = (error: Error): Error =>
    /extension .* not found|Failed to load/i.test(error.message)
      ? notInstalled(address)
      : plainError(address, error, memory);
  const first = ["load postgres_scanner", `attach ${quoteText(address)} as rows (type postgres, read_only)`];
  const settings = { memory, threads: 1, wantsSecrets: true, first, ...(options.signal && { signal: options.signal }) };
  const database = await Database.openAttached(settings, explain);
  try {
    const table = await attachedTable(database, address, options.table);
    const { relation, said } = await withFlatStructs(address, database, table);
    const opened = await openTable(database, { where: address, relation, guessedTypes: false }, options);
    return { ...opened, description: [opened.description, ...said].join("; ") };
  } catch (error) {
    database.close();
    throw error;
  }
}

function notInstalled(address: string): Error {
  const copy = `psql ${shellText(address)} -c "copy TABLE to stdout csv header" | telltale fit -`;
  return new RangeError(
    `${address}: needs DuckDB's extension postgres, which is not installed, and nothing is downloaded by itself; install it once in DuckDB (install postgres), or without it: ${copy}`,
  );
}
