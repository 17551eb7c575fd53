/** The public API, free of Node: it runs in a browser tab as it is. */

import { fitOn } from "./model/fitting.ts";
import { browserDevices } from "./runtime/browserDevices.ts";

// Data, training and methods
export { type Batch, type Data, inMemory, type RowsLike, toData } from "./data/data.ts";
export { type Feature, featureNames } from "./data/feature.ts";
export type { Scaling } from "./data/scaling.ts";
export type { ClusterSummary, Difference, Placement, ShownRow } from "./explain/clusters/clusterSummary.ts";
export { type SummarizeOptions, summarize } from "./explain/clusters/summarize.ts";
export type { Explainable, Pair } from "./explain/explainable.ts";
export { type IdsInOrder, outlierOf, type PlacedBatch, type PlaceOptions, placed } from "./explain/placement.ts";
export { type ExplainOptions, explainRow } from "./explain/rows/explainRow.ts";
export type { Explanation, FeaturePart, InputPart, LatentPart, NearRow, Why } from "./explain/rows/explanation.ts";
export { inputParts } from "./explain/rows/inputParts.ts";
export { type LatentParts, latentParts } from "./explain/rows/latentParts.ts";
export type { PathIntegral, PathOptions } from "./explain/rows/pathIntegral.ts";
export { decodeNpy, encodeNpy, encodeNpyGz } from "./formats/npy.ts";
// Tensors and random numbers
export { decodeSafetensors, encodeSafetensors } from "./formats/safetensors.ts";
// Formulas
export * from "./graph/arrange.ts";
export { describe } from "./graph/describe.ts";
export {
  abs,
  add,
  cast,
  divide,
  equal,
  exp,
  greater,
  isPositive,
  leakyRelu,
  less,
  log,
  maximum,
  minimum,
  multiply,
  negate,
  type Operand,
  power,
  relu,
  sigmoid,
  sign,
  sqrt,
  square,
  stopGradient,
  subtract,
  tanh,
  where,
} from "./graph/elementwise.ts";
export { gradient } from "./graph/gradient.ts";
export { constant, type Input, input, type Node, type Update, type Variable, variable } from "./graph/node.ts";
export {
  type ConvOptions,
  type ConvTransposeOptions,
  conv2d,
  convTranspose2d,
  type MatmulOptions,
  matmul,
  maxPool2d,
  upsample2d,
} from "./graph/products.ts";
export { type Along, argmax, argmin, logSumExp, max, mean, norm, softmax, sum } from "./graph/reduce.ts";
export type { Shape, Size } from "./graph/size.ts";
export { type CodeMap, type MapOptions, type MapProgress, map } from "./map/map.ts";
export { placed as placedOnMap } from "./map/placed.ts";
export { trustworthiness } from "./map/trustworthiness.ts";
export { methodOf, methods } from "./methods/index.ts";
// Scores
export {
  type InnerMetric,
  type InnerMetricName,
  innerMetrics,
  type Metric,
  type MetricName,
  metrics,
} from "./metrics/index.ts";
export type { Labels } from "./metrics/labels.ts";
export type { Rows } from "./metrics/rows.ts";
export type { SilhouetteOptions } from "./metrics/silhouette.ts";
export { type FitOptions, Fitting } from "./model/fitting.ts";
export { type Assignment, Model } from "./model/model.ts";
// Networks
export * from "./nn/autoencoders.ts";
export * from "./nn/distances.ts";
export * from "./nn/initializers.ts";
export * from "./nn/layers.ts";
export * from "./nn/losses.ts";
export * from "./nn/optimizers.ts";
// Programs and where they run
export { type CompileOptions, compile } from "./runtime/compile.ts";
export {
  type Device,
  type DeviceName,
  type DeviceOffer,
  type DeviceReport,
  findDevice,
  listDevices,
} from "./runtime/device.ts";
export { type Program, program } from "./runtime/program.ts";
export { type OpenOptions, type RunOptions, Session, type Values } from "./runtime/session.ts";
export type { State } from "./runtime/state.ts";
export { Random, type RandomState } from "./tensor/random.ts";
export { type DType, filled, fromNumbers, type Tensor, tensor, toNumbers } from "./tensor/tensor.ts";
export { decodeCheckpoint, encodeCheckpoint } from "./training/checkpoint.ts";
export type { DriftReport } from "./training/drift.ts";
export { Encoder } from "./training/encoder.ts";
export type { Epoch, Phase, Snapshot } from "./training/epoch.ts";
export type {
  BatchFormulas,
  Clustering,
  Follow,
  Method,
  PerRow,
  Problem,
  Profile,
  Start,
  Step,
} from "./training/method.ts";
export type { NetworkBuilder } from "./training/network.ts";
export {
  allowed,
  type Option,
  type OptionTable,
  resolve as resolveOptions,
  type ValuesOf,
} from "./training/options.ts";
export { type SharedOptions, sharedOptions } from "./training/sharedOptions.ts";
export {
  type Checkpoint,
  type Fit,
  type FitSettings,
  type Kept,
  type RestartSummary,
  scoresOf,
  train,
} from "./training/train.ts";

/** What may be here, in the order of preference. */
export const devices = browserDevices;

/** Learns clusters, here and now: in a page, call it in a Web Worker to keep the page alive. */
export const fit = fitOn(devices);
