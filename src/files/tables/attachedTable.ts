/** The table of a database that is attached as `rows`, read only. */

import { oneLine } from "../../text/oneLine.ts";
import { type Database, quoteName, quoteText } from "./database.ts";

/**
 * The one that is wanted, by its name or by schema.name; without a name the only one. Views are queries, and a file
 * may come from anybody: they are not run.
 */
export async function attachedTable(database: Database, where: string, wanted?: string): Promise<string> {
  const found = await database.rows(
    "select schema_name, table_name from duckdb_tables() where database_name = 'rows' and not internal order by all limit 1000",
  );
  const tables = found.map(([schema, table]) => ({ schema: String(schema), table: String(table) }));
  const isWanted = ({ schema, table }: { schema: string; table: string }): boolean =>
    wanted === undefined || table === wanted || `${schema}.${table}` === wanted;
  const [table, another] = tables.filter(isWanted);
  if (table && !another) return `rows.${quoteName(table.schema)}.${quoteName(table.table)}`;
  const has = tables
    .slice(0, 8)
    .map(({ schema, table }) => oneLine(schema === "main" ? table : `${schema}.${table}`, 40));
  const listed = `it has ${has.join(", ") || "none"}${tables.length > 8 ? ` and ${tables.length - 8} more` : ""}`;
  if (wanted === undefined) {
    throw new RangeError(
      tables.length === 0
        ? `${where}: has no table (views are queries, and are not run)`
        : `${where}: which of its tables holds the rows? ${listed}; name it with --table (table)`,
    );
  }
  throw new RangeError(`${where}: table must name one of its tables, got ${quoteText(oneLine(wanted, 40))}; ${listed}`);
}
