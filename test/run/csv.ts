/** A run of rows in a CSV file, with ids, classes and assignments, as a fit writes it. */

import { join } from "node:path";
import { openOutput } from "../../src/files/output/openOutput.ts";
import { openRunOn, type Run } from "../../src/run/folder/openRun.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder, write } from "../files/folder.ts";
import { blobs } from "../support/blobs.ts";
import { columns, finishedRun } from "../support/run.ts";

export const openRun = openRunOn([cpu]);
export const { rows, labels } = blobs();
export const classes = ["north", "south", "west"];

/** The same numbers as those of `finishedRun`. */
export async function csvFile(name = "blobs.csv"): Promise<string> {
  const header = ["sku", ...columns, "class"].join(",");
  const lines = Array.from(labels, (label, i) =>
    [`p${i}`, ...rows.data.slice(4 * i, 4 * i + 4), classes[label]].join(","),
  );
  return write(name, `${[header, ...lines].join("\n")}\n`);
}

export async function csvRun(name: string, { method = "kmeans" } = {}): Promise<Run> {
  const source = await csvFile();
  const path = join(folder, name);
  await finishedRun(path, { method, source: { name: "blobs.csv", path: source, ids: ["sku"], classes } });
  const run = await openRun(path);
  const model = await run.model({ device: "cpu" });
  const { labels: found, probabilities, distances } = await model.assign(rows);
  const names = await run.names();
  const output = await openOutput(
    "parquet",
    [
      { name: "row", type: "integer" },
      { name: "sku", type: "text" },
      { name: "cluster", type: "integer" },
      { name: "cluster_name", type: "text" },
      ...["confidence", "distance", "outlier", "x", "y"].map((name) => ({ name, type: "number" }) as const),
    ],
    { out: run.folder.file("assignments.parquet") },
  );
  await output.write(
    Array.from(found, (cluster, i) => [
      i,
      `p${i}`,
      cluster,
      names[cluster]!,
      probabilities.data[3 * i + cluster]!,
      distances.data[3 * i + cluster]!,
      0.5,
      i,
      -i,
    ]),
  );
  await output.end();
  await model.close();
  return run;
}
