import { shellPath, shellText } from "../../../text/shellText.ts";
import { bigQuery as quoted, sqlComment } from "../../../text/sql.ts";
import { aboutNames, cast, columnsOf, type Dialect, featuresIn, listed } from "./expressions.ts";
import type { Engine } from "./facts.ts";

const dialect: Dialect = {
  ...quoted,
  element: (column, index) => `${column}[OFFSET(${index})]`,
  days: (column) => `UNIX_MICROS(CAST(${column} AS TIMESTAMP)) / 86400e6`,
};

export const bigQuery: Engine = {
  title: "BigQuery",
  takesPictures: false,
  statements: ({ name, files, input, features, row, clusterNames, fills }) => {
    const place = `gs://BUCKET/${files.model}`;
    return `
${sqlComment(`Fill in: BUCKET (Cloud Storage), DATASET, TABLE. First: gcloud storage cp ${shellPath(files.model)} ${shellText(place)}`)}${aboutNames(columnsOf(features), dialect)}
CREATE OR REPLACE MODEL \`DATASET.${name}\`
OPTIONS (MODEL_TYPE = 'ONNX', MODEL_PATH = ${dialect.text(place)});

-- Each row goes in as one array under the name of the model's input; columns that are not used come out again.
SELECT
  * EXCEPT (${input}, label, z),
  label AS cluster,
  [${clusterNames.map(dialect.text).join(", ")}][OFFSET(label)] AS cluster_name,
  probabilities[OFFSET(label)] AS confidence
FROM ML.PREDICT(
  MODEL \`DATASET.${name}\`,
  (SELECT *, [
${listed(featuresIn(features, row), (feature) => cast(feature, dialect, "FLOAT64", fills), "    ")}
  ] AS ${input}
  FROM \`DATASET.TABLE\`));`;
  },
};
