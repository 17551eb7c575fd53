/**
 * Smooth representation: each row as a sum of rows, neighbours by similar ones.
 * Hu, Lin, Feng & Zhou, 2014.
 *
 *   X  rows of length 1, the paper's columns      Z  who is made of whom [n, n]
 *   L  D − S, S the graph of the 4 nearest rows   α, ε  weights of the error, and of Z itself
 *
 *   min α‖X − XZ‖² + tr(ZL̃Zᵀ), L̃ = L + ε: αXᵀXZ + ZL̃ = αXᵀX
 *
 * With X = UΣVᵀ as the paper has it, Z = VY, and each row of Y is by itself: (ασₐ² + L̃) yₐ = ασₐ² vₐ.
 */

import { unitTensor } from "../../numerics/kmeans.ts";
import { transposed } from "../../numerics/matrix.ts";
import type { Graph } from "../../numerics/neighbours/neighbourGraph.ts";
import type { Pace } from "../../numerics/pace.ts";
import { choice, number, whole } from "../../options.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import { fullProduct, symmetric } from "./affinity.ts";
import { nearestOf, zeroOneGraph } from "./nearest.ts";
import { axes, type Expressed, type Products, selfExpressive } from "./selfExpression.ts";

const ending = { steps: 1000, residual: 1e-6 };

export const smr = selfExpressive({
  name: "smr",
  about: "Clusters that lie in subspaces, where neighbours belong together: rows by rows, neighbours by similar ones.",
  paper: "Hu, Lin, Feng & Zhou, Smooth representation clustering, CVPR 2014",
  options: {
    alpha: number("α, the weight of the error.", 2 ** -16, { from: 1e-12 }),
    epsilon: number("ε, the weight of the coefficients themselves.", 0.01, { from: 1e-6 }),
    neighbours: whole("How many nearest rows a row is tied to.", 4, { from: 1 }),
    affinity: choice(
      "J1 takes how much rows need each other, J2 how alike the sums are that express them.",
      ["j1", "j2"],
      "j1",
    ),
    axes: axes(0),
  },
  affinity: (expressed, work) => smoothAffinity(expressed, work.options, work),
});

interface Smoothness {
  readonly alpha: number;
  readonly epsilon: number;
  readonly neighbours: number;
  readonly affinity: "j1" | "j2";
}

/** J1: W = (|Z| + |Zᵀ|)/2, Z = VY. J2: Wᵢⱼ = |cos(zᵢ, zⱼ)|. */
export async function smoothAffinity(
  expressed: Expressed,
  { alpha, epsilon, neighbours, affinity }: Smoothness,
  { multiply, pace }: Products,
): Promise<Tensor<"float32">> {
  const { x, v } = expressed;
  const graph = await zeroOneGraph(await nearestOf(x, x, neighbours, multiply, pace), pace);
  const y = await smoothed(expressed, graph, alpha, epsilon, pace);
  if (affinity === "j2") {
    // VᵀV = 1, so that the cosine of two columns of Z is that of the columns of Y.
    const sums = unitTensor(transposed(y));
    return fullProduct(sums, transposed(sums), Math.abs, multiply, pace);
  }
  const w = await fullProduct(v, y, Math.abs, multiply, pace);
  await symmetric(w, pace);
  return w;
}

/** Y, [r, n]: a system for each singular value, by conjugate gradients. */
async function smoothed(
  { v, sigma }: Pick<Expressed, "v" | "sigma">,
  graph: Graph,
  alpha: number,
  epsilon: number,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const [n, r] = v.shape as [number, number];
  const y = new Float32Array(r * n);
  for (let a = 0; a < r; a++) {
    const weight = alpha * sigma[a]! ** 2;
    const right = Float64Array.from({ length: n }, (_, i) => weight * v.data[i * r + a]!);
    y.set(await solved(graph, weight + epsilon, right, pace), a * n);
  }
  return tensor("float32", [r, n], y);
}

/** (c + L) y = b. */
async function solved(graph: Graph, c: number, b: Float64Array, pace: Pace): Promise<Float64Array> {
  const y = b.map((value) => value / c);
  const image = new Float64Array(y.length);
  const residual = (): Float64Array => {
    timesLaplacian(graph, c, y, image);
    return b.map((value, i) => value - image[i]!);
  };
  const rest = residual();
  const direction = rest.slice();
  let squared = rest.reduce((sum, value) => sum + value * value, 0);
  const enough = ending.residual ** 2 * b.reduce((sum, value) => sum + value * value, 0);
  for (let step = 0; step < ending.steps && squared > enough; step++) {
    await pace();
    timesLaplacian(graph, c, direction, image);
    const along = squared / direction.reduce((sum, value, i) => sum + value * image[i]!, 0);
    for (let i = 0; i < y.length; i++) {
      y[i]! += along * direction[i]!;
      rest[i]! -= along * image[i]!;
    }
    const before = squared;
    squared = rest.reduce((sum, value) => sum + value * value, 0);
    for (let i = 0; i < y.length; i++) direction[i] = rest[i]! + (squared / before) * direction[i]!;
  }
  return y;
}

/** (c + D − S) x. */
function timesLaplacian({ starts, rows, weights }: Graph, c: number, x: Float64Array, out: Float64Array): void {
  for (let i = 0; i < x.length; i++) {
    let sum = c * x[i]!;
    for (let at = starts[i]!; at < starts[i + 1]!; at++) sum += weights[at]! * (x[i]! - x[rows[at]!]!);
    out[i] = sum;
  }
}
