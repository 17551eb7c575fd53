/** `telltale/method`: everything that a method is written with. Our own method files need nothing else. */

export { replaced } from "../graph/replaced.ts";
export { product } from "../graph/size.ts";
export type { Autoencoder } from "../nn/autoencoders.ts";
export { cosineReconstruction, meanReconstruction, summedReconstruction } from "../nn/reconstruction.ts";
export { diagonalMixture } from "../numerics/diagonalMixture.ts";
export { type KMeansOptions, kmeans, lloyd, meansByLabel, unitTensor } from "../numerics/kmeans.ts";
export {
  allowed,
  choice,
  flag,
  number,
  type Option,
  type OptionTable,
  sizes,
  type ValuesOf,
  whole,
} from "../options.ts";
export { toldNames } from "../teachers/names.ts";
export { sizeOf, takeRows } from "../tensor/tensor.ts";
export { firstCenters, firstValues, type StartName } from "../training/firstCenters.ts";
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
} from "../training/method.ts";
export { type SharedOptions, sharedOptions } from "../training/sharedOptions.ts";
export * from "./formulas.ts";
