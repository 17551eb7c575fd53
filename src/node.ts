/** The public API in Node: everything of index.ts, with this machine's native devices, files and runs. */

import { demoRunOn } from "./run/fitting/demoRun.ts";
import { fitRunOn, resumeRunOn } from "./run/fitting/fitRun.ts";
import { loadOn, openRunOn } from "./run/folder/openRun.ts";
import { NodeModel } from "./run/folder/saveModel.ts";
import { streamRowsOn } from "./run/stream/streamRows.ts";
import { nodeDevices } from "./runtime/nodeDevices.ts";
import { fitInWorker } from "./worker/fitInWorker.ts";

export {
  type Ids,
  type OpenedRows,
  type OpenOptions as OpenRowsOptions,
  openRows,
} from "./files/openRows.ts";
export type { OutputFormat } from "./files/output/openOutput.ts";
export * from "./index.ts";
export type { OnEvent, RunEvent } from "./run/events.ts";
export {
  type Exported,
  type ExportOptions,
  type ExportTarget,
  exportRun,
  exportTargets,
} from "./run/export/exportRun.ts";
export type { DemoOptions } from "./run/fitting/demoRun.ts";
export type { FitRunOptions, ResumeOptions } from "./run/fitting/fitRun.ts";
export type { RunDescription, RunResult, SourceDescription } from "./run/folder/description.ts";
export type { LoadOptions, Run } from "./run/folder/openRun.ts";
export { NodeModel as Model, type SaveOptions, save } from "./run/folder/saveModel.ts";
export type { StreamOptions, StreamResult } from "./run/stream/streamRows.ts";
export { type AssignOptions, assignFile } from "./run/use/assignFile.ts";
export {
  type CompareOptions,
  type Comparison,
  compareRuns,
  type LonelyCluster,
  type MatchedClusters,
  type MovedRow,
} from "./run/use/compareRuns.ts";
export { evaluateRun, type LabelSource, shortNames } from "./run/use/evaluateRun.ts";
export { type ExplainFileOptions, explainFile } from "./run/use/explainFile.ts";
export { reportRun } from "./run/use/reportRun.ts";
export { version } from "./version.ts";
export { readCheckpoint } from "./worker/checkpoints.ts";
export type { NodeFitOptions } from "./worker/fitInWorker.ts";
export type { CheckpointFile } from "./worker/messages.ts";

/** What may be here, in the order of preference. */
export const devices = nodeDevices;

/** Learns clusters, in a thread of its own. */
export const fit = fitInWorker(devices, NodeModel);

/** Learns the clusters of rows in a file, and writes the run folder. */
export const fitRun = fitRunOn(devices);

/** Goes on with a training that was stopped. */
export const resumeRun = resumeRunOn(devices);

/** Opens a finished run. */
export const openRun = openRunOn(devices);

/** The model of a run folder, as `save` or a fit has written it. */
export const load = loadOn(devices);

/** Assigns rows as they come, and lets the centers follow. */
export const streamRows = streamRowsOn(devices);

/** Clusters the digits that come along. */
export const demoRun = demoRunOn(devices);
