import { quotePath } from "../../../files/tables/database.ts";
import { cast, type Dialect, doubled, featuresIn, listed } from "./expressions.ts";
import type { Assignments, Engine } from "./facts.ts";

const dialect: Dialect = {
  identifier: (name) => doubled(name, '"'),
  text: (value) => doubled(value, "'"),
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
SELECT infera_load_model('${name}', '${files.distances}');
-- Fill in: NEW_ROWS.parquet.
SELECT * EXCLUDE (distances), list_position(distances, list_min(distances)) - 1 AS cluster, list_min(distances) AS distance
FROM (SELECT *, infera_predict_multi_list('${name}',
${listed(featuresIn(features, row), (feature) => cast(feature, dialect, "FLOAT", fills), "    ")}
  ) AS distances FROM 'NEW_ROWS.parquet');`;
    return [known ?? "", row.length === 1 ? fresh : ""].join("\n") || "-- Nothing to run: there are no assignments.";
  },
};

/** What is known already, beside the rows: by their ids, else by position. */
function joinedInDuckDb({ file, rows, ids }: Assignments): string {
  const table = quotePath(file);
  if (rows === undefined) {
    return `
-- The rows it was fitted to: their numbers, from 0, and their clusters.
SELECT * FROM ${table};`;
  }
  const same = ids.map(
    (id) => `r.${dialect.identifier(id.rows)}::VARCHAR = a.${dialect.identifier(id.assignments)}::VARCHAR`,
  );
  return `
-- The rows it was fitted to, with their clusters.
SELECT r.*, a.cluster, a.cluster_name, a.confidence, a.outlier
FROM ${rows} r
${ids.length > 0 ? `JOIN ${table} a ON ${same.join(" AND ")}` : `POSITIONAL JOIN ${table} a`};`;
}
