/** What `telltale` has in a browser tab and in Node alike. */

export type { ColumnBeside, RowsBeside, ValueBeside } from "../data/beside.ts";
export { type Batch, type Data, inMemory, type RowsLike } from "../data/data.ts";
export { type Feature, featureNames } from "../data/feature.ts";
export type { Scaling } from "../data/scaling.ts";
export type { Beside, ClusterSummary, Difference, Placement, ShownRow } from "../explain/clusters/clusterSummary.ts";
export type { SummarizeOptions } from "../explain/clusters/summarize.ts";
export type { Attention, AttentionPart } from "../explain/rows/attention.ts";
export type { ExplainOptions } from "../explain/rows/explainRow.ts";
export type { Explanation, FeaturePart, InputPart, LatentPart, NearRow, Why } from "../explain/rows/explanation.ts";
export { decodeNpy } from "../formats/npy.ts";
export { type CodeMap, type MapOptions, type MapProgress, map } from "../map/map.ts";
export { placeOnMap } from "../map/placeOnMap.ts";
export { type MethodName, methods } from "../methods/index.ts";
export { methodOf } from "../methods/methodOf.ts";
export type { Labels } from "../metrics/labels.ts";
export type { CheckpointFile, FitOptions, NamedFitOptions, OpenClusters } from "../model/fitOptions.ts";
export type { FitByName, Fitting } from "../model/fitting.ts";
export type { Assignment } from "../model/model.ts";
export {
  type Device,
  type DeviceName,
  type DeviceOffer,
  type DeviceReport,
  findDevice,
  listDevices,
} from "../runtime/device.ts";
export { type DType, type Tensor, tensor } from "../tensor/tensor.ts";
export type { ClusterChoice } from "../training/chooseClusters.ts";
export type { DriftReport } from "../training/drift.ts";
export type { Epoch, Phase, Snapshot } from "../training/epoch.ts";
export type { Checkpoint, Fit, Kept, RestartSummary } from "../training/job.ts";
export type { Method, Profile } from "../training/method.ts";
export type { NetworkBuilder } from "../training/network.ts";
export type { SharedOptions } from "../training/sharedOptions.ts";
