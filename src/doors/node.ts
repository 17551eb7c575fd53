/** `telltale` in Node: what someone who clusters needs, with this machine's devices, files and runs. */

import { typedFit } from "../model/fitting.ts";
import { curateOn } from "../run/curation/curate.ts";
import { importRunOn } from "../run/fitting/importRun.ts";
import { NodeModel } from "../run/folder/nodeModel.ts";
import { loadOn } from "../run/folder/openRun.ts";
import { streamRowsOn } from "../run/stream/streamRows.ts";
import { collectSweepOn } from "../run/sweep/collectSweep.ts";
import { nodeDevices } from "../runtime/nodeDevices.ts";
import { fitInWorker } from "../worker/fitInWorker.ts";

export type { ColumnReport } from "../data/columnReport.ts";
export { type Inspection, inspectRows } from "../files/inspectRows.ts";
export { type Ids, type OpenedRows, type OpenOptions, openRows } from "../files/openRows.ts";
export type { OutputFormat } from "../files/output/openOutput.ts";
export type { SweepAnswer, SweptFit, SweptSetting } from "../report/sweepPage.ts";
export type {
  CuratedCluster,
  CurateOptions,
  Curation,
  Edited,
  EditOptions,
  SplitOptions,
  Stepped,
} from "../run/curation/curate.ts";
export type { Preview } from "../run/curation/preview.ts";
export type { OnEvent, RunEvent } from "../run/events.ts";
export { type Exported, type ExportOptions, type ExportTarget, exportRun } from "../run/export/exportRun.ts";
export type { DemoOptions } from "../run/fitting/demoRun.ts";
export type { FileFitOptions, ResumeOptions } from "../run/fitting/fitRun.ts";
export type { ImportOptions } from "../run/fitting/importRun.ts";
export type { PastEdit } from "../run/folder/curationWords.ts";
export type { NodeModel as Model } from "../run/folder/nodeModel.ts";
export type { LoadOptions, OpenRunOptions, Run } from "../run/folder/openRun.ts";
export type { SaveOptions } from "../run/folder/saveModel.ts";
export type { Edit, Entry } from "../run/folder/schemas/curation.ts";
export type { RunDescription, RunResult, SourceDescription } from "../run/folder/schemas/runDescription.ts";
export type { KeptSnapshot } from "../run/folder/snapshots.ts";
export { cancelSweep, queueSweep, type TakenBack } from "../run/queue/queueSweep.ts";
export { type QueueEvent, type QueueWorkOptions, workQueue } from "../run/queue/workQueue.ts";
export type { StreamOptions, StreamResult } from "../run/stream/streamRows.ts";
export type { CollectOptions } from "../run/sweep/collectSweep.ts";
export type { JobProgress } from "../run/sweep/messages.ts";
export { planSweep, type SweepOptions } from "../run/sweep/planSweep.ts";
export { beginSweep, readJobs, type SweepJob } from "../run/sweep/sweepJob.ts";
export { type SweepEvent, type Worked, type WorkOptions, workSweep } from "../run/sweep/workSweep.ts";
export type { Assigned, AssignOptions } from "../run/use/assignFile.ts";
export {
  type Comparison,
  compareRuns,
  type LonelyCluster,
  type MatchedClusters,
  type MovedRow,
} from "../run/use/compareRuns.ts";
export { evaluateRun, type LabelSource } from "../run/use/evaluateRun.ts";
export { type ExplainFileOptions, explainFile, type RowExplanation } from "../run/use/explainFile.ts";
export { reportRun } from "../run/use/reportRun.ts";
export type { CompareOptions } from "../run/use/rowsInBoth.ts";
export { version } from "../version.ts";
export { demoRun, fitRun, resumeRun } from "./learn.ts";
export * from "./shared.ts";
export { assignFile, openRun } from "./use.ts";

/** What may be here, in the order of preference. */
export const devices = nodeDevices;

/**
 * As `fit`, where the method and its options are known only at run time: their names are checked by the method's table.
 */
export const fitByName = fitInWorker(devices, NodeModel);

/** Learns clusters, in a thread of its own. */
export const fit = typedFit(fitByName);

/** Makes a run of a state that several machines have trained by the step of another (docs/scale.md). */
export const importRun = importRunOn(devices);

/** The model of a run folder, as `model.save` or a fit has written it. */
export const load = loadOn(devices);

/** Assigns rows as they come, and lets the centers follow. */
export const streamRows = streamRowsOn(devices);

/** Opens a run to correct its clusters: what a person changes becomes a model beside the fit. */
export const curate = curateOn(devices);

/** Merges the runs of a sweep: how many clusters, which fit, and what all have in common. */
export const collectSweep = collectSweepOn(devices);
