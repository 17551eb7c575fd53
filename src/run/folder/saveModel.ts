/** Models to disk: a run folder with what a model alone can tell. */

import { type Feature, featureNames } from "../../data/feature.ts";
import type { ColumnsOfRow } from "../../explain/clusters/clusterNames.ts";
import { oursOf } from "../../methods/methodOf.ts";
import type { Model } from "../../model/model.ts";
import { describeModel } from "../../model/storedModel.ts";
import { describeOnnx } from "../../onnx/read.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { clusterCount } from "../../training/membership.ts";
import type { Method } from "../../training/method.ts";
import { version } from "../../version.ts";
import { modelCard } from "./modelCard.ts";
import { epochLines, modelFiles } from "./modelFiles.ts";
import { featuresNamed } from "./olderRuns.ts";
import { RunFolder } from "./runFolder.ts";
import { type RunDescription, type RunResult, runFormat } from "./schemas/runDescription.ts";

export interface SaveOptions {
  /** Replaces a run that is there already: the old one stays whole until the new one is. */
  readonly force?: boolean;
  /**
   * What the numbers of a row are: features (`OpenedRows.features`), or names: price, embedding[3] for a part of a
   * vector, city=Rome for one of a text.
   */
  readonly columns?: ColumnsOfRow;
}

const saveSettings: Settings<SaveOptions> = { force: "flag", columns: "any" };

/** Writes a model as a run folder; `load` opens it again. */
export async function save(model: Model, path: string, options: SaveOptions = {}): Promise<void> {
  checkSettings("save", options, saveSettings);
  const { force = false, columns = [] } = options;
  const { method, row } = model.plan;
  if (oursOf(method.name) !== (method as Method)) {
    throw new TypeError(
      `save: the method ${method.name} is your own, which is code and is not saved; write it to a file and fit with fitRun, method: "./mine.mjs"`,
    );
  }
  if (columns.length > 0 && !(row.length === 1 && row[0] === columns.length) && !model.encoder) {
    throw new RangeError(`save: columns must name the ${row.join("×")} numbers of a row, got ${columns.length} names`);
  }
  const features = columns.flatMap((column) => (typeof column === "string" ? featuresNamed([column]) : [column]));
  const description = describe(model, features);
  const folder = await RunFolder.create(path, { force });
  try {
    const { files } = await modelFiles(model, { columns: featureNames(features) });
    const card = modelCard({ name: folder.name, description, clusters: clustersOf(model) });
    const more: [string, string][] = [
      ["epochs.jsonl", epochLines(model.fit.history)],
      ["README.md", card],
    ];
    await folder.begin(description, new Map<string, Uint8Array | string>([...files, ...more]));
    await folder.finish();
  } catch (error) {
    await folder.discard();
    throw error;
  } finally {
    await folder.unlock();
  }
}

function describe(model: Model, features: readonly Feature[]): RunDescription & { readonly result: RunResult } {
  const { plan, history } = model.fit;
  const { clusters, method, profile, seed, options, range, count } = plan;
  return {
    format: "telltale run",
    version: runFormat,
    telltale: version,
    status: "done",
    created: new Date().toISOString(),
    source: {
      name: "memory",
      options: {},
      description: `using ${count} rows from memory`,
      rows: model.labels.length,
      row: rowOf(model),
      range,
      features,
      ids: [],
      ...(plan.scaling?.missing && { filled: plan.scaling.missing }),
    },
    settings: { clusters, method: method.name, profile, seed, ...(model.encoder && { encoder: true }), options },
    result: {
      ...describeModel(model),
      device: model.device.description,
      seconds: history.reduce((sum, epoch) => sum + epoch.seconds, 0),
      notices: [],
    },
  };
}

/** As the rows are given: to the encoder, where there is one and it says what it takes. */
function rowOf({ encoder, plan }: Model): readonly number[] {
  const row = encoder && describeOnnx(encoder.bytes).inputs[0]?.shape.slice(1);
  return row && row.length > 0 && row.every((size) => typeof size === "number") ? row : plan.row;
}

/** Sizes are counted; what the clusters are called takes the rows to find out. */
function clustersOf({ labels, plan }: Model) {
  const sizes = new Int32Array(clusterCount(plan));
  for (const label of labels) sizes[label]!++;
  return Array.from(sizes, (size, cluster) => ({
    cluster,
    name: `cluster ${cluster}`,
    size,
    share: size / labels.length,
  }));
}
