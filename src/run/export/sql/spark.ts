import { sizeOf } from "../../../tensor/tensor.ts";
import { pythonText } from "../../../text/pythonText.ts";
import { spark as quoted, sqlComment } from "../../../text/sql.ts";
import { terminalText } from "../../../text/terminalText.ts";
import { aboutNames, cast, columnsOf, type Dialect, featuresIn, listed } from "./expressions.ts";
import type { Engine, EngineFacts } from "./facts.ts";

const dialect: Dialect = {
  ...quoted,
  element: (column, index) => `${column}[${index}]`,
  // Right where spark.sql.session.timeZone is UTC.
  days: (column) => `unix_micros(CAST(${column} AS TIMESTAMP)) / 86400e6`,
};

export const spark: Engine = {
  title: "Spark",
  takesPictures: true,
  statements: ({ name, files, features, row, fills }) => `
${sqlComment(`First run ${files.spark} in the session (it needs onnxruntime on the workers): it makes the function ${name}.`)}${aboutNames(columnsOf(features), dialect)}
${features.some(({ kind }) => kind === "date") ? "-- SET TIME ZONE 'UTC' first: dates are counted in universal time.\n" : ""}-- Fill in: TABLE${row.length > 1 ? `, and pixels: an array of the ${sizeOf(row)} numbers of a picture, [${row}] row by row` : ""}.
SELECT *, placed.cluster, placed.confidence FROM (
  SELECT *, ${name}(${
    row.length > 1
      ? "pixels"
      : `array(
${listed(featuresIn(features, row), (feature) => cast(feature, dialect, "FLOAT", fills), "    ")}
  )`
  }) AS placed FROM TABLE);`,
};

/** The function that Spark runs a model with, as a Python file. */
export function sparkFunction({ name, files, input, row }: EngineFacts): string {
  const shape = ["-1", ...row].join(", ");
  return `"""Assigns rows to the clusters of ${name} in Spark: SELECT ${name}(array(...)) FROM table."""
from typing import Iterator

import numpy as np
import onnxruntime
import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf

# Fill in: where ${terminalText(files.model)} lies for the driver.
MODEL = ${pythonText(files.model)}

spark = SparkSession.builder.getOrCreate()
model = spark.sparkContext.broadcast(open(MODEL, "rb").read())


@pandas_udf("cluster long, confidence float")
def ${name}(batches: Iterator[pd.Series]) -> Iterator[pd.DataFrame]:
    session = onnxruntime.InferenceSession(model.value, providers=["CPUExecutionProvider"])
    for rows in batches:
        x = np.stack(rows.to_numpy()).astype(np.float32).reshape(${shape})
        label, probabilities = session.run(["label", "probabilities"], {${pythonText(input)}: x})
        yield pd.DataFrame({"cluster": label, "confidence": probabilities[np.arange(len(label)), label]})


spark.udf.register(${pythonText(name)}, ${name})

# With SynapseML instead, on a column of arrays named features:
#   from synapse.ml.onnx import ONNXModel
#   ONNXModel().setModelLocation(MODEL).setFeedDict({${pythonText(input)}: "features"}) \\
#       .setFetchDict({"cluster": "label", "probabilities": "probabilities"}).transform(table)
`;
}
