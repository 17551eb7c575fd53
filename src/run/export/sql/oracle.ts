import { type Element, expression, listed, names } from "./expressions.ts";
import type { Engine } from "./facts.ts";

/** A vector is taken to be a column of JSON. */
const jsonElement: Element = (column, index) => `JSON_VALUE(${column}, '$[${index}]' RETURNING NUMBER)`;

export const oracle: Engine = {
  title: "Oracle Database 23ai",
  takesPictures: false,
  statements: ({ name, files, input, columns, row }) => {
    const features = names(columns, row);
    const metadata = {
      function: "clustering",
      clusteringProbOutput: "probabilities",
      clusteringDistanceOutput: "distances",
      input: { [input]: features.map((_, i) => `C${i}`) },
    };
    return `
-- Fill in: MODELS (a directory object of the database in which ${files.model} lies; CREATE DIRECTORY MODELS AS '/path'), ROWS_TABLE.
-- The user needs the privilege CREATE MINING MODEL, and READ on the directory.
BEGIN
  DBMS_VECTOR.LOAD_ONNX_MODEL('MODELS', '${files.model}', '${name}', JSON('${JSON.stringify(metadata)}'));
END;
/
-- The same from a BLOB: DBMS_DATA_MINING.IMPORT_ONNX_MODEL('${name}', blob, JSON('…')).

-- Try it on a row whose cluster you know: Oracle's manual does not say whether CLUSTER_ID counts from 0, as Telltale does.
SELECT CLUSTER_ID(${name} USING *) AS cluster_id,
       CLUSTER_PROBABILITY(${name} USING *) AS confidence,
       CLUSTER_DISTANCE(${name} USING *) AS distance
FROM (SELECT t.*,
${listed(features, (column, i) => `${expression(column, '"', jsonElement)} AS C${i}`, "        ")}
      FROM ROWS_TABLE t);`;
  },
};
