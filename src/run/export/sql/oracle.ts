import { oracle as quoted, sqlComment } from "../../../text/sql.ts";
import { aboutNames, columnsOf, type Dialect, featuresIn, listed, numberOf } from "./expressions.ts";
import type { Engine } from "./facts.ts";

const dialect: Dialect = {
  ...quoted,
  // A vector is taken to be a column of JSON.
  element: (column, index) => `JSON_VALUE(${column}, '$[${index}]' RETURNING NUMBER)`,
  days: (column) => `CAST(${column} AS DATE) - DATE '1970-01-01'`,
};

export const oracle: Engine = {
  title: "Oracle Database 23ai",
  takesPictures: false,
  statements: ({ name, files, input, features, row, fills }) => {
    const numbers = featuresIn(features, row);
    const metadata = {
      function: "clustering",
      clusteringProbOutput: "probabilities",
      clusteringDistanceOutput: "distances",
      input: { [input]: numbers.map((_, i) => `C${i}`) },
    };
    const fill = `Fill in: MODELS (a directory object of the database in which ${files.model} lies; CREATE DIRECTORY MODELS AS '/path'), ROWS_TABLE.`;
    const text = `
${sqlComment(fill)}
-- The user needs the privilege CREATE MINING MODEL, and READ on the directory.${aboutNames(columnsOf(features), dialect)}
BEGIN
  DBMS_VECTOR.LOAD_ONNX_MODEL('MODELS', ${dialect.text(files.model)}, '${name}', JSON(${dialect.text(JSON.stringify(metadata))}));
END;
/
-- The same from a BLOB: DBMS_DATA_MINING.IMPORT_ONNX_MODEL('${name}', blob, JSON('…')).

-- Try it on a row whose cluster you know: Oracle's manual does not say whether CLUSTER_ID counts from 0, as Telltale does.
SELECT CLUSTER_ID(${name} USING *) AS cluster_id,
       CLUSTER_PROBABILITY(${name} USING *) AS confidence,
       CLUSTER_DISTANCE(${name} USING *) AS distance
FROM (SELECT t.*,
${listed(numbers, (feature, i) => `${numberOf(feature, dialect, fills)} AS C${i}`, "        ")}
      FROM ROWS_TABLE t);`;
    // SQL*Plus asks for the value of &name, wherever it stands.
    return text.includes("&") ? `\nSET DEFINE OFF${text}` : text;
  },
};
