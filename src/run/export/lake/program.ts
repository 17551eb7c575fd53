/**
 * A small Python program that assigns the rows of many Parquet files beside the model, on an engine that people run
 * already. What the numbers of a row are made of stands in it as data; all engines share everything but their last
 * lines.
 */

import { type Feature, periods } from "../../../data/feature.ts";
import { pythonText } from "../../../text/pythonText.ts";
import type { EngineFacts } from "../sql/facts.ts";
import { type LakeEngine, lakeEngines } from "./engines.ts";

/** Each kind of feature: `column` as numbers, nothing where it is missing; `what` is said beside its column. */
const kinds: { readonly [K in Feature["kind"]]: string } = {
  number: "lambda column, _: column.cast(pa.float64())",
  count: "lambda column, _: column.cast(pa.float64())",
  boolean: "lambda column, _: column.cast(pa.bool_()).cast(pa.uint8())",
  date: "lambda column, _: days(column)",
  element: "lambda column, at: pc.list_element(column, at)",
  category: "lambda column, text: pc.equal(column.cast(pa.string()), text).cast(pa.uint8())",
  other:
    "lambda column, known: pc.if_else(column.is_valid(), pc.invert(pc.is_in(column.cast(pa.string()), pa.array(known))), None).cast(pa.uint8())",
  ordered: "lambda column, values: pc.index_in(column.cast(pa.string()), pa.array(values))",
  cycle: "lambda column, on: getattr(pc, on[0])(pc.multiply(days(column), 2 * np.pi / on[1]))",
};

const days = `

def days(column):
    """Days since 1970 in universal time."""
    times = pc.cast(column, pa.timestamp("us", getattr(column.type, "tz", None)))
    return pc.divide(times.cast(pa.int64()).cast(pa.float64()), 86400e6)
`;

/** The program of an engine. */
export function lakeProgram(engine: LakeEngine, facts: EngineFacts): string {
  const { name, files, input, clusterNames } = facts;
  const { title, start, imports, lines } = lakeEngines[engine];
  const rows = facts.features.length > 0 ? ofColumns(facts) : ofVectors(facts);
  return `"""Assigns the rows of Parquet files to the clusters of ${name}, on ${title}: ${start} THIS_FILE IN OUT"""
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pyarrow as pa
import pyarrow.compute as pc
${imports}

MODEL = Path(__file__).with_name(${pythonText(files.model)}).read_bytes()
NAMES = [${wrapped(clusterNames.map(pythonText), 9)}]
${rows}

class Assign:
    """Rows with their cluster, its name, and how clear the choice is. Engines run many side by side: one thread each."""

    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.model = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])

    def __call__(self, rows):
        x = numbers(rows)
        # A thousand at a time: what a layer makes of them stays in the processor's cache.
        parts = np.array_split(x, len(x) // 1024 + 1)
        found = [self.model.run(["label", "probabilities"], {${pythonText(input)}: part}) for part in parts]
        label, probabilities = map(np.concatenate, zip(*found))
        rows = rows.append_column("cluster", pa.array(label))
        rows = rows.append_column("cluster_name", pa.array(NAMES).take(pa.array(label)))
        return rows.append_column("confidence", pa.array(probabilities[np.arange(len(label)), label]))

${lines}`;
}

/** Rows whose numbers are made of named columns. */
function ofColumns({ features, fills }: EngineFacts): string {
  const used = [...new Set(features.map(({ kind }) => kind))];
  const list = features.map((feature) => `(${pythonText(feature.column)}, "${feature.kind}", ${whatOf(feature)})`);
  // Where the model fills nothing in, a missing value is none of the categories.
  const howOf = (kind: Feature["kind"]): string =>
    !fills && (kind === "category" || kind === "other") ? `${kinds[kind]}.fill_null(0)` : kinds[kind];
  return `# The numbers of a row: of which column, how, and with what.
FEATURES = [
    ${wrapped(list, 4)},
]
${used.includes("date") || used.includes("cycle") ? days : ""}
HOW = {
${used.map((kind) => `    "${kind}": ${howOf(kind)},`).join("\n")}
}


def numbers(rows):
    """As the model takes them${fills ? "; NaN where a value is missing, which it fills in" : ": no value may be missing"}."""
    columns = [HOW[how](rows[column], what) for column, how, what in FEATURES]
    return np.stack([column.cast(pa.float32()).to_numpy(zero_copy_only=False) for column in columns], axis=1)
`;
}

/** Rows that are vectors, or pictures, in one column of lists. */
function ofVectors({ row }: EngineFacts): string {
  return `# Fill in: the column of lists, ${row.join(" × ")} numbers each.
VECTORS = "x"


def numbers(rows):
    """As the model takes them."""
    flat = pc.list_flatten(rows[VECTORS]).cast(pa.float32())
    return flat.to_numpy(zero_copy_only=False).reshape(-1, ${row.join(", ")})
`;
}

/** What a feature is made with beside its column, as Python. */
function whatOf(feature: Feature): string {
  switch (feature.kind) {
    case "element":
      return String(feature.index);
    case "category":
      return pythonText(feature.value);
    case "other":
      return `[${feature.except.map(pythonText).join(", ")}]`;
    case "ordered":
      return `[${feature.values.map(pythonText).join(", ")}]`;
    case "cycle":
      return `("${feature.part}", ${periods[feature.period]})`;
    default:
      return "None";
  }
}

/** As many to a line as fit. */
function wrapped(items: readonly string[], indent: number): string {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + item.length < 108) lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(item);
  }
  return lines.join(`,\n${" ".repeat(indent)}`);
}
