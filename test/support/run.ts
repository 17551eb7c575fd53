/** A small finished run, made in a moment: three clouds of points, four columns. */

import { toData } from "../../src/data/data.ts";
import { featureNames } from "../../src/data/feature.ts";
import { summarize } from "../../src/explain/clusters/summarize.ts";
import { describeModel } from "../../src/model/storedModel.ts";
import { saveModel } from "../../src/run/folder/modelFiles.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import { type RunDescription, runFormat, type SourceDescription } from "../../src/run/folder/schemas/runDescription.ts";
import { cpu } from "../../src/runtime/native.ts";
import { version } from "../../src/version.ts";
import { blobs, tiny } from "./blobs.ts";
import { fitOn } from "./fit.ts";

export const columns = ["a", "b", "c d", "größe"];

export interface FinishedRunOptions {
  readonly method?: string;
  /** What the run says about the rows it was fitted to. */
  readonly source?: Partial<SourceDescription>;
}

export async function finishedRun(path: string, options: FinishedRunOptions = {}): Promise<void> {
  const { method = "tell", source = {} } = options;
  const { rows } = blobs();
  const model = await fitOn([cpu])(rows, { clusters: 3, method, seed: 1, device: "cpu", ...tiny });
  const data = toData(rows);
  const features = source.features ?? columns.map((column) => ({ kind: "number" as const, column }));
  const clusters = await summarize(model, data, { columns: features });
  const names = clusters.map(({ name }) => name);
  const description: RunDescription = {
    format: "telltale run",
    version: runFormat,
    telltale: version,
    status: "done",
    created: "2024-01-01T00:00:00.000Z",
    source: {
      name: "blobs.csv",
      options: {},
      description: "using 4 numeric columns",
      rows: data.count,
      row: data.row,
      range: data.range,
      features,
      ids: [],
      ...source,
    },
    settings: { clusters: 3, method, profile: "practical", seed: 1, options: tiny },
    result: { ...describeModel(model), device: model.device.description, seconds: 1, notices: [] },
  };
  const folder = await RunFolder.create(path);
  try {
    await saveModel(folder, model, { names, columns: featureNames(features) });
    await folder.write("clusters.json", JSON.stringify(clusters));
    await folder.write("epochs.jsonl", "");
    await folder.describe(description);
  } finally {
    await folder.unlock();
    await model.close();
  }
}
