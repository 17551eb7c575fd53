/** The first rows of a table as people have written them, before anything is made of them. */

import { stat } from "node:fs/promises";
import type { OpenOptions } from "./openedRows.ts";
import { recognize } from "./recognize.ts";
import { quoteName } from "./tables/database.ts";
import { openRelation } from "./tables/openRelation.ts";

export interface Preview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Letters of a value, and columns. */
const [longest, mostColumns] = [200, 200];

/** Nothing of arrays and images, which have no columns. */
export async function previewRows(source: string, rows: number, options: OpenOptions = {}): Promise<Preview> {
  const none = { columns: [], rows: [] };
  if (!(await stat(source)).isFile()) return none;
  const recognized = await recognize(source, source, true);
  const { format } = recognized;
  if (format === "npy" || format === "npz" || format === "idx") return none;
  const table = await openRelation(source, source, { ...recognized, format }, options);
  try {
    const columns = (await table.database.columns(`select * from ${table.relation}`)).slice(0, mostColumns);
    const select = columns.map(({ name }) => `left(${quoteName(name)}::varchar, ${longest})`).join(", ");
    const found = await table.database.rows(`select ${select} from ${table.relation} limit ${rows}`);
    return { columns: columns.map(({ name }) => name), rows: found as (string | null)[][] };
  } finally {
    await table.close();
  }
}
