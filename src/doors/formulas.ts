/**
 * What formulas are written with: tensors, operations, layers, distances, losses. Two doors open on it, `engine` and
 * `method`.
 */

export * from "../graph/arrange.ts";
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
} from "../graph/elementwise.ts";
export { gradient } from "../graph/gradient.ts";
export { constant, type Input, input, type Node, type Update, type Variable, variable } from "../graph/node.ts";
export {
  type ConvOptions,
  type ConvTransposeOptions,
  conv2d,
  convTranspose2d,
  type MatmulOptions,
  matmul,
  maxPool2d,
  upsample2d,
} from "../graph/products.ts";
export { type Along, argmax, argmin, logSumExp, max, mean, norm, softmax, sum } from "../graph/reduce.ts";
export type { Shape, Size } from "../graph/size.ts";
export * from "../nn/distances.ts";
export * from "../nn/initializers.ts";
export * from "../nn/layers.ts";
export * from "../nn/losses.ts";
export { Random, type RandomState } from "../tensor/random.ts";
export { type DType, filled, fromNumbers, type Tensor, tensor, toNumbers } from "../tensor/tensor.ts";
