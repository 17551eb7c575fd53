import { quotePath } from "../../../files/tables/database.ts";
import { duckDb as quoted, sqlComment } from "../../../text/sql.ts";
import { aboutNames, cast, columnsOf, type Dialect, featuresIn, listed } from "./expressions.ts";
import type { Assignments, Engine } from "./facts.ts";

const dialect: Dialect = {
  ...quoted,
  // In a CSV a vector is text.
  element: (column, index) => `CAST(${column} AS DOUBLE[])[${index + 1}]`,
  days: (column) => `epoch(CAST(${column} AS TIMESTAMP)) / 86400`,
};

export const duckDb: Engine = {
  title: "DuckDB",
  takesPictures: true,
  statements: ({ name, files, features, row, assignments, fills }) => {
    const known = assignments && joinedInDuckDb(assignments);
    const fresh = `
-- New rows, through the community extension infera (not part of DuckDB; it is downloaded once). It gives only a model's first output,
-- which must be float32: that is why there is a file of its own with the distances. We have not run this part.
INSTALL infera FROM community;
LOAD infera;
SELECT infera_load_model('${name}', ${dialect.text(files.distances)});
-- Fill in: NEW_ROWS.parquet.${aboutNames(columnsOf(features), dialect)}
SELECT * EXCLUDE (distances), list_position(distances, list_min(distances)) - 1 AS cluster, list_min(distances) AS distance
FROM (SELECT *, infera_predict_multi_list('${name}',
${listed(featuresIn(features, row), (feature) => cast(feature, dialect, "FLOAT", fills), "    ")}
  ) AS distances FROM 'NEW_ROWS.parquet');`;
    return [known ?? "", row.length === 1 ? fresh : ""].join("\n") || "-- Nothing to run: there are no assignments.";
  },
};

/** What is known already, beside the rows: by their ids, else by position. */
function joinedInDuckDb({ file, rows, query, ids }: Assignments): string {
  const table = quotePath(file);
  if (rows === undefined && query === undefined) {
    return `
-- The rows it was fitted to: their numbers, from 0, and their clusters.
SELECT * FROM ${table};`;
  }
  const same = ids.map((id) => `r.${dialect.name(id.rows)}::VARCHAR = a.${dialect.name(id.assignments)}::VARCHAR`);
  return `
-- The rows it was fitted to, with their clusters.${query === undefined ? "" : shown(query)}
SELECT r.*, a.cluster, a.cluster_name, a.confidence, a.outlier
FROM ${rows ?? "ROWS"} r
${ids.length > 0 ? `JOIN ${table} a ON ${same.join(" AND ")}` : `POSITIONAL JOIN ${table} a`};`;
}

/** A query that a folder stores is shown and not run: whoever reads it may put it where ROWS stands. */
function shown(query: string): string {
  const lines = query.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => sqlComment(`  ${line}`));
  return `
-- Fill in: ROWS. They came from a query that the run's folder stores, which may come from anybody; read it before you run it:
${lines.join("\n")}`;
}
