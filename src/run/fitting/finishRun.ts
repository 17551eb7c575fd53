/** From a trained model to a finished run folder: what the clusters are, where every row is, the picture, the report. */

import { rm } from "node:fs/promises";
import { featureNames } from "../../data/feature.ts";
import { summarize } from "../../explain/clusters/summarize.ts";
import type { OpenedRows } from "../../files/openRows.ts";
import { rounded } from "../../files/output/digits.ts";
import type { Model } from "../../model/model.ts";
import { describeModel } from "../../model/storedModel.ts";
import type { Epoch } from "../../training/epoch.ts";
import { scoresOf } from "../../training/train.ts";
import type { OnEvent } from "../events.ts";
import type { RunDescription, RunResult } from "../folder/description.ts";
import { modelCard } from "../folder/modelCard.ts";
import { epochLines, type SavedModel, saveModel } from "../folder/modelFiles.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { writeReport } from "../use/reportRun.ts";
import { type Picture, pictureOf } from "./mapRows.ts";
import { writeAssignments } from "./writeAssignments.ts";
import { writeExemplars } from "./writeExemplars.ts";

export interface Finishing {
  readonly folder: RunFolder;
  readonly description: RunDescription;
  readonly loaded: OpenedRows;
  readonly model: Model;
  /** All of them: more than the model's own where a pretraining was shared. */
  readonly epochs: readonly Epoch[];
  readonly encoder?: Uint8Array;
  readonly seconds: number;
  readonly map: boolean;
  readonly report: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
}

/** `run.json` is written last: until then the folder is that of a training, which can be resumed. */
export async function finish(finishing: Finishing): Promise<RunDescription & { result: RunResult }> {
  const { folder, loaded, model, encoder, signal, onEvent } = finishing;
  const { features, ids } = loaded;
  const data = await model.features(loaded.data);
  // Behind a frozen encoder everything is about its features, which have no names.
  const isSame = !model.encoder;
  const stage = (stage: string, done: number, total: number): void => onEvent?.({ kind: "stage", stage, done, total });

  stage("describing the clusters", 0, 1);
  const named = { ...(isSame && { columns: features }), ...(ids && { ids }), ...(signal && { signal }) };
  const summaries = await summarize(model, data, named);
  const names = summaries.map(({ name }) => name);
  const picture = finishing.map ? await pictureOf(model, loaded.data, { stage, ...(signal && { signal }) }) : undefined;
  await writeAssignments({
    folder,
    model,
    data,
    summaries,
    stage,
    ...(ids && { ids }),
    ...(picture && { picture }),
    ...(signal && { signal }),
  });

  const contract = { names, columns: isSame ? featureNames(features) : [], ...(encoder && { encoder }) };
  const { takes } = await saveModel(folder, model, contract);
  const result = resultOf(finishing, picture, takes);
  const description = { ...finishing.description, status: "done" as const, result };
  await folder.write("clusters.json", `${JSON.stringify(summaries, shortNumbers, 1)}\n`);
  await folder.write("epochs.jsonl", epochLines(finishing.epochs));
  await writeExemplars(folder, summaries, { row: model.plan.row, range: loaded.data.range, columns: contract.columns });
  await folder.write("README.md", modelCard({ name: folder.name, description, clusters: summaries }));
  if (finishing.report) {
    stage("writing the report", 0, 1);
    await writeReport(folder, description);
  }
  await folder.describe(description);
  await rm(folder.file("checkpoint"), { recursive: true, force: true });
  return description;
}

/** Seven digits are enough for whoever reads a float32. */
function shortNumbers(_: string, value: unknown): unknown {
  return typeof value === "number" ? rounded(value) : value;
}

function resultOf(
  { loaded, model, seconds }: Finishing,
  picture: Picture | undefined,
  takes: SavedModel["takes"],
): RunResult {
  const { labels: truth } = loaded;
  const isScored = truth && !truth.classes.includes(-1);
  const notices = new Set(model.fit.history.filter(isLast(model)).flatMap((epoch) => epoch.notices));
  if (picture && picture.shown < loaded.data.count) {
    notices.add(`the map shows ${picture.shown} of ${loaded.data.count} rows`);
  }
  if (takes === "features") notices.add("model.onnx takes what encoder.onnx gives: their operation sets differ");
  if (truth && !isScored) notices.add("some rows have no label, so that nothing is scored");
  return {
    ...describeModel(model),
    ...(isScored && {
      scores: scoresOf(truth.classes, model.labels),
      confusion: confusionOf(truth, model.labels, model.plan.clusters),
    }),
    device: model.device.description,
    seconds,
    notices: [...notices],
    ...(picture && { map: { centers: picture.centers, shown: picture.shown } }),
  };
}

/** What is wrong in the end, not what once was. */
function isLast({ fit }: Model): (epoch: Epoch) => boolean {
  const own = fit.history.filter(({ restart, phase }) => restart === fit.restart && phase === "clustering");
  return (epoch) => epoch === own.at(-1);
}

/** How many rows of each class are in each cluster. */
function confusionOf({ classes, names }: NonNullable<OpenedRows["labels"]>, labels: Int32Array, clusters: number) {
  const table = names.map(() => Array<number>(clusters).fill(0));
  classes.forEach((of, i) => {
    table[of]![labels[i]!]!++;
  });
  return { classes: names, table };
}
