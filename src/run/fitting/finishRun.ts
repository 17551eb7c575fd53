/** From a trained model to a run that can be used; what comes after it, the map and the lists, is in drawRun.ts. */

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
import { modelCard } from "../folder/modelCard.ts";
import { epochLines, type SavedModel, saveModel } from "../folder/modelFiles.ts";
import type { RunDescription, RunResult } from "../folder/schemas/runDescription.ts";
import type { Snapshots } from "../folder/snapshots.ts";
import { asInFile } from "./asInFile.ts";
import { cloudNotice } from "./cloudNotice.ts";
import { drawRun } from "./drawRun.ts";
import { writeDropped } from "./droppedRows.ts";
import { exemplarFiles } from "./exemplarFiles.ts";
import { type RunWork, stageOf } from "./runWork.ts";
import { clustersJson, savedClusters } from "./savedClusters.ts";

/** What the training has given. */
interface Trained {
  readonly model: Model;
  /** All of them: more than the model's own where a pretraining was shared. */
  readonly epochs: readonly Epoch[];
  /** How long it has taken so far, all together. */
  readonly seconds: () => number;
  /** Where snapshots were asked for. */
  readonly snapshots?: Snapshots | undefined;
}

export type DoneRun = RunDescription & { readonly result: RunResult };

/**
 * The model is saved before the map is drawn: from then on the run can be used, and nobody who wants no picture has to
 * wait for one. `run.json` is written last of each.
 */
export async function finishRun(work: RunWork, trained: Trained): Promise<DoneRun> {
  const { folder, opened, encoder, signal, onEvent } = work;
  const { model, epochs } = trained;
  const { features, ids, dropped } = opened;
  const data = await model.features(opened.data);
  const isSame = !model.encoder;
  const stage = stageOf(work);

  const cloud = await cloudNotice(model, data, work.description, { stage, ...(signal && { signal }) });
  if (cloud) onEvent?.({ kind: "notice", sentence: cloud });
  const { summaries, notice } = await summariesOf(work, model, data);
  const names = summaries.map(({ name }) => name);
  const deciding = isSame ? decidingColumn(summaries, features) : undefined;
  const words = deciding && decidingWords(deciding);
  if (words) onEvent?.({ kind: "notice", sentence: words });
  const contract = { names, columns: isSame ? featureNames(features) : [], ...(encoder && { encoder }) };
  const { takes } = await saveModel(folder, model, contract);
  const result = {
    ...resultOf(work, trained, takes, [cloud, notice, words]),
    ...(deciding && { deciding }),
    unfinished: true,
  };
  const description = { ...work.description, status: "done" as const, result };
  const look = { row: model.plan.row, range: opened.data.range, columns: contract.columns };
  if (dropped) await writeDropped(folder, dropped, ids?.names);
  await folder.writeAll(
    new Map<string, Uint8Array | string>([
      ["clusters.json", clustersJson(savedClusters(summaries))],
      ["epochs.jsonl", epochLines(epochs)],
      ...exemplarFiles(summaries, look),
      ...(trained.snapshots?.file(model.fit.restart) ?? []),
      ["README.md", modelCard({ name: folder.name, description, clusters: summaries })],
    ]),
  );
  await folder.describe(description);
  await folder.finish();
  onEvent?.({ kind: "saved", path: folder.path });
  return drawRun(work, { model, data, summaries, saved: description, epochs, seconds: trained.seconds });
}

/** What each cluster is, with its rows as the file has them. */
export async function summariesOf(
  work: RunWork,
  model: Model,
  data: Data,
): Promise<{ readonly summaries: readonly ClusterSummary[]; readonly notice?: string | undefined }> {
  const { features, ids, beside, numbers } = work.opened;
  // Behind a frozen encoder everything is about its features, which have no names, and no value of the file is shown.
  const isSame = !model.encoder;
  stageOf(work)("describing the clusters", 0, 1);
  // Whatever is code of one's own is not needed to place rows: then the ONNX file does, which has no decoder.
  const byDistance = work.methodFile !== undefined || model.plan.network !== undefined;
  const { summaries: found, notice } = await described(model, data, {
    byDistance,
    ...(isSame && { columns: features }),
    ...(ids && { ids }),
    ...(beside && { beside }),
    ...(work.signal && { signal: work.signal }),
  });
  const inFile = isSame ? work.opened : { ...(numbers && { numbers }) };
  return { summaries: await asInFile(called(found, model.fit.taught), inFile), notice };
}

function resultOf(
  { opened, teacher }: RunWork,
  { model, seconds }: Trained,
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
    seconds: seconds(),
    notices: [...notices],
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
export function confusionOf(
  { classes, names }: NonNullable<OpenedRows["labels"]>,
  labels: Int32Array,
  clusters: number,
) {
  const table = names.map(() => Array<number>(clusters).fill(0));
  classes.forEach((of, i) => {
    table[of]![labels[i]!]!++;
  });
  return { classes: names, table };
}
