import { cast, listed, names, quoted } from "./expressions.ts";
import type { Engine } from "./facts.ts";

export const bigQuery: Engine = {
  title: "BigQuery",
  takesPictures: false,
  statements: ({ name, files, input, columns, row, clusterNames, fills }) => `
-- Fill in: BUCKET (Cloud Storage), DATASET, TABLE. First: gcloud storage cp ${files.model} gs://BUCKET/${files.model}
CREATE OR REPLACE MODEL \`DATASET.${name}\`
OPTIONS (MODEL_TYPE = 'ONNX', MODEL_PATH = 'gs://BUCKET/${files.model}');

-- Each row goes in as one array under the name of the model's input; columns that are not used come out again.
SELECT
  * EXCEPT (${input}, label, z),
  label AS cluster,
  [${clusterNames.map((text) => quoted(text, "\\'")).join(", ")}][OFFSET(label)] AS cluster_name,
  probabilities[OFFSET(label)] AS confidence
FROM ML.PREDICT(
  MODEL \`DATASET.${name}\`,
  (SELECT *, [
${listed(names(columns, row), (column) => cast(column, "`", (inner, i) => `${inner}[OFFSET(${i})]`, fills, "FLOAT64"), "    ")}
  ] AS ${input}
  FROM \`DATASET.TABLE\`));`,
};
