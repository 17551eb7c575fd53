/**
 * From a trained model to a finished run folder: what the clusters are, where every row is, the map, the report.
 */

import type { Data } from "../../data/data.ts";
import { featureNames } from "../../data/feature.ts";
import { NotBeside } from "../../explain/beside/besideTally.ts";
import type { ClusterSummary } from "../../explain/clusters/clusterSummary.ts";
import { decidingColumn, decidingWords } from "../../explain/clusters/decidingColumn.ts";
import { type SummarizeOptions, summarize } from "../../explain/clusters/summarize.ts";
import type { OpenedRows } from "../../files/openRows.ts";
import type { Model } from "../../model/model.ts";
import { describeModel } from "../../model/storedModel.ts";
import type { Epoch } from "../../training/epoch.ts";
import type { Taught } from "../../training/lesson.ts";
import { scoresOf } from "../../training/scoresOf.ts";
import { doubtAbout } from "../../training/taughtWords.ts";
import { asSaved } from "../folder/asSaved.ts";
import { modelCard } from "../folder/modelCard.ts";
import { epochLines, type SavedModel, saveModel } from "../folder/modelFiles.ts";
import type { RunDescription, RunResult } from "../folder/schemas/runDescription.ts";
import { PointsOnMap } from "../use/pointsOnMap.ts";
import { writeReport } from "../use/reportRun.ts";
import { asInFile } from "./asInFile.ts";
import { cloudNotice } from "./cloudNotice.ts";
import { writeDropped } from "./droppedRows.ts";
import { exemplarFiles } from "./exemplarFiles.ts";
import { mapRows, type RowMap } from "./mapRows.ts";
import type { RunWork } from "./runWork.ts";
import { clustersJson, savedClusters } from "./savedClusters.ts";
import { writeAssignments } from "./writeAssignments.ts";

/** What the training has given. */
interface Trained {
  readonly model: Model;
  /** All of them: more than the model's own where a pretraining was shared. */
  readonly epochs: readonly Epoch[];
  readonly seconds: number;
}

/** `run.json` is written last: until then the folder is that of a training, which can be resumed. */
export async function finishRun(work: RunWork, trained: Trained): Promise<RunDescription & { result: RunResult }> {
  const { folder, opened, encoder, signal, onEvent } = work;
  const { model, epochs } = trained;
  const { map = true, report = true } = work.description.settings;
  const { features, ids, beside, numbers, dropped } = opened;
  const data = await model.features(opened.data);
  // Behind a frozen encoder everything is about its features, which have no names.
  const isSame = !model.encoder;
  const stage = (stage: string, done: number, total: number): void => onEvent?.({ kind: "stage", stage, done, total });

  const cloud = await cloudNotice(model, data, work.description, { stage, ...(signal && { signal }) });
  if (cloud) onEvent?.({ kind: "notice", sentence: cloud });
  stage("describing the clusters", 0, 1);
  // Whatever is code of one's own is not needed to place rows: then the ONNX file does, which has no decoder.
  const byDistance = work.methodFile !== undefined || model.plan.network !== undefined;
  const { summaries: found, notice } = await described(model, data, {
    byDistance,
    ...(isSame && { columns: features }),
    ...(ids && { ids }),
    ...(beside && { beside }),
    ...(signal && { signal }),
  });
  // Behind a frozen encoder no value of the file is shown.
  const inFile = isSame ? opened : { ...(numbers && { numbers }) };
  const summaries = await asInFile(called(found, model.fit.taught), inFile);
  const names = summaries.map(({ name }) => name);
  const deciding = isSame ? decidingColumn(summaries, features) : undefined;
  if (deciding) onEvent?.({ kind: "notice", sentence: decidingWords(deciding) });
  const rowMap = map ? await mapRows(model, opened.data, { stage, ...(signal && { signal }) }) : undefined;
  const points = report && rowMap ? new PointsOnMap(rowMap.shown) : undefined;
  await writeAssignments({
    folder,
    model,
    data,
    summaries,
    stage,
    ...(ids && { ids }),
    ...(numbers && { numbers }),
    ...(rowMap && { rowMap }),
    ...(points && { points }),
    ...(signal && { signal }),
    ...(work.teacher && { teacher: work.teacher }),
  });

  if (dropped) await writeDropped(folder, dropped, ids?.names);

  const contract = { names, columns: isSame ? featureNames(features) : [], ...(encoder && { encoder }) };
  const { takes } = await saveModel(folder, model, contract);
  const words = deciding && decidingWords(deciding);
  const result = {
    ...resultOf(work, trained, rowMap, takes, [cloud, notice, words]),
    ...(deciding && { deciding }),
  };
  const description = { ...work.description, status: "done" as const, result };
  const clusters = savedClusters(summaries);
  const look = { row: model.plan.row, range: opened.data.range, columns: contract.columns };
  await folder.writeAll(
    new Map<string, Uint8Array | string>([
      ["clusters.json", clustersJson(clusters)],
      ["epochs.jsonl", epochLines(epochs)],
      ...exemplarFiles(summaries, look),
      ["README.md", modelCard({ name: folder.name, description, clusters: summaries })],
    ]),
  );
  if (report) {
    stage("writing the report", 0, 1);
    // From memory, but with the numbers that the files have: made again from them, it is the same.
    const saved = asSaved({ description, epochs });
    await writeReport(folder, { ...saved, clusters, ...(points && { points }) });
  }
  await folder.describe(description);
  await folder.finish();
  return description;
}

function resultOf(
  { opened, teacher }: RunWork,
  { model, seconds }: Trained,
  rowMap: RowMap | undefined,
  takes: SavedModel["takes"],
  before: readonly (string | undefined)[],
): RunResult {
  const { labels: truth } = opened;
  const isTaught = truth && teacher && isSamePartition(truth.classes, teacher.labels);
  const isScored = truth && !isTaught && !truth.classes.includes(-1);
  const said = before.filter((notice) => notice !== undefined);
  const notices = new Set([...said, ...model.fit.history.filter(isLast(model)).flatMap((epoch) => epoch.notices)]);
  const doubt = model.fit.taught && doubtAbout(model.fit.taught);
  if (doubt !== undefined) notices.add(doubt);
  if (rowMap && rowMap.shown < opened.data.count) {
    notices.add(`the map shows ${rowMap.shown} of ${opened.data.count} rows`);
  }
  if (takes === "features") notices.add("model.onnx takes what encoder.onnx gives: their operation sets differ");
  if (isTaught) notices.add("the labels of the rows are what the teacher says, so that nothing is scored");
  else if (truth && !isScored) notices.add("some rows have no label, so that nothing is scored");
  return {
    ...describeModel(model),
    ...(isScored && {
      scores: scoresOf(truth.classes, model.labels),
      confusion: confusionOf(truth, model.labels, model.plan.clusters),
    }),
    device: model.device.description,
    seconds,
    notices: [...notices],
    ...(rowMap && { map: { centers: rowMap.centers, shown: rowMap.shown } }),
  };
}

/** Clusters have the names that a person gave them; numbers that only count them are no names. */
function called(summaries: readonly ClusterSummary[], taught: Taught | undefined): readonly ClusterSummary[] {
  const names = taught?.names;
  if (!names || names.every((name, cluster) => name === String(cluster))) return summaries;
  return summaries.map(({ namedBy: _, ...summary }) => ({ ...summary, name: names[summary.cluster]! }));
}

/** A file that has changed or gone since must not cost what was trained: then its other columns tell nothing. */
async function described(model: Model, data: Data, options: SummarizeOptions) {
  try {
    return { summaries: await summarize(model, data, options) };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof NotBeside)) throw error;
    const { beside: _, ...rest } = options;
    const notice = `the columns that were not used to cluster could not be read again, and describe nothing: ${error.message}`;
    return { summaries: await summarize(model, data, rest), notice };
  }
}

/** Whether the same rows are together in both. */
function isSamePartition(one: Int32Array, other: Int32Array): boolean {
  const [there, back] = [new Map<number, number>(), new Map<number, number>()];
  return one.every((a, i) => {
    const b = other[i]!;
    if (!there.has(a)) there.set(a, b);
    if (!back.has(b)) back.set(b, a);
    return there.get(a) === b && back.get(b) === a;
  });
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
