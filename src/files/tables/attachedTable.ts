/** The table of a database that is attached as `rows`, read only. */

import { oneLine } from "../../text/oneLine.ts";
import { type Database, quoteName, quoteText } from "./database.ts";
import { checkDepth } from "./parquetOrJson.ts";

interface AttachedTable {
  readonly schema: string;
  readonly table: string;
}

/**
 * The one that is wanted, by its name or by schema.name; without a name the only one. Views are queries, and a file
 * may come from anybody: they are not run.
 */
export async function attachedTable(database: Database, where: string, wanted?: string): Promise<string> {
  const found = await database.rows(
    "select schema_name, table_name from duckdb_tables() where database_name = 'rows' and not internal order by all limit 1000",
  );
  const tables = found.map(([schema, table]) => ({ schema: String(schema), table: String(table) }));
  const isWanted = ({ schema, table }: AttachedTable): boolean =>
    wanted === undefined || table === wanted || `${schema}.${table}` === wanted;
  const [table, another] = tables.filter(isWanted);
  if (table && !another) {
    await checkPlain(database, where, table);
    return `rows.${quoteName(table.schema)}.${quoteName(table.table)}`;
  }
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
  throw new RangeError(
    `${where}: --table must name one of its tables, got ${quoteText(oneLine(wanted, 40))}; ${listed}`,
  );
}

/** What it has are values: a generated column is a formula, which would run whenever it is read. */
async function checkPlain(database: Database, where: string, { schema, table }: AttachedTable): Promise<void> {
  const isIt = `database_name = 'rows' and schema_name = ${quoteText(schema)} and table_name = ${quoteText(table)}`;
  const [[definition] = []] = await database.rows(`select sql from duckdb_tables() where ${isIt}`);
  if (/ GENERATED ALWAYS AS ?\(/i.test(String(definition))) {
    throw new RangeError(
      `${where}: its table ${oneLine(table, 40)} has generated columns, which are formulas and are not run; give a table of values (create table … as select …)`,
    );
  }
  const nested = `(contains(data_type, '(') or contains(data_type, '['))`;
  for (const [type] of await database.rows(`select data_type from duckdb_columns() where ${isIt} and ${nested}`)) {
    checkDepth(depthOf(String(type)), where);
  }
}

/** How deep the types are in each other; brackets in names, which stand in quotes, are none. */
function depthOf(type: string): number {
  let [depth, most, isName] = [0, 0, false];
  for (const letter of type) {
    if (letter === '"') isName = !isName;
    else if (isName) continue;
    else if (letter === "(") most = Math.max(most, ++depth);
    else if (letter === ")") depth--;
  }
  // A list of lists is INTEGER[][].
  return most + Math.max(0, ...[...type.matchAll(/(?:\[\d*\])+/g)].map(([run]) => run.split("[").length - 1));
}
