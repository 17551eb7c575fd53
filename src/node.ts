/** The public API in Node: everything of index.ts, with this machine's native devices, files and runs. */

import { availableParallelism } from "node:os";
import { demoRunOn } from "./run/demo.ts";
import { fitRunOn, resumeRunOn } from "./run/fit.ts";
import { loadOn, openRunOn } from "./run/run.ts";
import { NodeModel } from "./run/save.ts";
import { streamRowsOn } from "./run/stream.ts";
import type { DeviceOffer } from "./runtime/device.ts";
import { cpu, gpu } from "./runtime/native.ts";
import { webAssembly } from "./runtime/wasm.ts";
import { fitInWorker } from "./worker/fit.ts";

export {
  type Ids,
  type Loaded,
  type OpenOptions as OpenRowsOptions,
  openRows,
} from "./data/files/index.ts";
export * from "./index.ts";
export { type AssignOptions, assignFile } from "./run/assign.ts";
export {
  type CompareOptions,
  type Comparison,
  compareRuns,
  type LonelyCluster,
  type MatchedClusters,
  type MovedRow,
} from "./run/compare.ts";
export type { DemoOptions } from "./run/demo.ts";
export type { RunDescription, RunResult, RunSettings, SourceDescription } from "./run/description.ts";
export { evaluateRun, type LabelSource, shortNames } from "./run/evaluate.ts";
export type { OnEvent, RunEvent } from "./run/events.ts";
export { type ExplainFileOptions, explainFile } from "./run/explain.ts";
export { type Exported, type ExportOptions, type ExportTarget, exportRun, exportTargets } from "./run/export.ts";
export type { FitRunOptions, ResumeOptions } from "./run/fit.ts";
export type { OutputFormat } from "./run/output.ts";
export { reportRun } from "./run/report.ts";
export type { LoadOptions, Run } from "./run/run.ts";
export { NodeModel as Model, type SaveOptions, save } from "./run/save.ts";
export type { StreamOptions, StreamResult } from "./run/stream.ts";
export { version } from "./run/version.ts";
export { readCheckpoint } from "./worker/files.ts";
export type { NodeFitOptions } from "./worker/fit.ts";
export type { CheckpointFile } from "./worker/messages.ts";

/** What may be here, in the order of preference. A GPU comes last: it is asked for by name, since small networks run faster without. */
export const devices: readonly DeviceOffer[] = [cpu, webAssembly(availableParallelism()), gpu];

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
