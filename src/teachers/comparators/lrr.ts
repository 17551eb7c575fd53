/**
 * Low-rank representation: each row as a sum of rows by few directions, and rows that do not fit set apart.
 * Liu, Lin, Yan, Sun, Yu & Ma, 2013; by inexact augmented Lagrange multipliers.
 *
 *   X  rows of length 1, the paper's columns [d, n]     E  what is set apart, column by column     λ  its weight
 *   Z  who is made of whom [n, n]                       J  the same, of low rank     Y₁, Y₂, μ  multipliers
 *
 *   min ‖J‖_* + λ‖E‖₂,₁ so that X = XZ + E, Z = J
 *
 * With the paper's X = UΣVᵀ everything is turned by Uᵀ and Z = VZ′: then X′ = ΣVᵀ and XZ′ = ΣZ′ number by number.
 * Here all have the form [n, r], transposed.
 */

import { unitTensor } from "../../numerics/kmeans.ts";
import { innerProducts, type Multiply, scaledRows, transposed } from "../../numerics/matrix.ts";
import type { Pace } from "../../numerics/pace.ts";
import { symmetricEigen } from "../../numerics/symmetricEigen.ts";
import type { ThinSvd } from "../../numerics/thinSvd.ts";
import { number, whole } from "../../options.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import { fullProduct } from "./affinity.ts";
import { axes, selfExpressive } from "./selfExpression.ts";

/** μ from this, times that in every iteration, up to the last. */
const penalty = { from: 1e-6, times: 1.1, to: 1e10 };

export const lowRankOptions = {
  lambda: number("λ, the weight of rows that do not fit.", 0.1, { from: 1e-6 }),
  tolerance: number("It ends where no constraint is missed by more than this.", 1e-5, { from: 1e-7 }),
  iterations: whole("Iterations at most.", 400, { from: 1 }),
  axes: axes(128),
} as const;

export const lrr = selfExpressive({
  name: "lrr",
  about: "Clusters that lie in subspaces, and rows that lie in none: rows by rows of low rank, outliers set apart.",
  paper:
    "Liu, Lin, Yan, Sun, Yu & Ma, Robust recovery of subspace structures by low-rank representation, IEEE TPAMI 35, 2013",
  options: lowRankOptions,
  async affinity(expressed, { multiply, pace, options }) {
    return affinityOf(expressed, await lowRank(expressed, options, multiply, pace), multiply, pace);
  },
});

/** Z′, transposed: [n, r]. */
export async function lowRank(
  { v, sigma }: ThinSvd,
  { lambda, tolerance, iterations }: { lambda: number; tolerance: number; iterations: number },
  multiply: Multiply,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const [n, r] = v.shape as [number, number];
  const x = v.data.map((value, at) => value * sigma[at % r]!);
  const zero = (): Float32Array => new Float32Array(n * r);
  const [z, e, y1, y2, sum] = [zero(), zero(), zero(), zero(), zero()];
  let mu = penalty.from;
  for (let iteration = 0; iteration < iterations; iteration++) {
    await pace();
    for (let at = 0; at < sum.length; at++) sum[at] = z[at]! + y2[at]! / mu;
    const j = await thresholded(tensor("float32", [n, r], sum), 1 / mu, multiply, pace);
    for (let at = 0; at < z.length; at++) {
      const s = sigma[at % r]!;
      z[at] = (s * (x[at]! - e[at]!) + j[at]! + (s * y1[at]! - y2[at]!) / mu) / (s * s + 1);
      e[at] = x[at]! - s * z[at]! + y1[at]! / mu;
    }
    shrinkRows(e, r, lambda / mu);
    let missed = 0;
    for (let at = 0; at < z.length; at++) {
      const [one, two] = [x[at]! - sigma[at % r]! * z[at]! - e[at]!, z[at]! - j[at]!];
      missed = Math.max(missed, Math.abs(one), Math.abs(two));
      y1[at]! += mu * one;
      y2[at]! += mu * two;
    }
    if (missed < tolerance) break;
    mu = Math.min(penalty.to, penalty.times * mu);
  }
  return tensor("float32", [n, r], z);
}

/** J: the same singular vectors, each singular value s less by t, none below 0; T (1 − t/s)₊ by those of TᵀT. */
async function thresholded(t: Tensor<"float32">, by: number, multiply: Multiply, pace: Pace): Promise<Float32Array> {
  const r = t.shape[1]!;
  const { values, vectors } = await symmetricEigen(await innerProducts(t, pace), r, pace);
  const kept = Array.from(values, (value) => Math.max(0, 1 - by / Math.sqrt(Math.max(value, 1e-300))));
  const projection = new Float32Array(r * r);
  for (let a = 0; a < r; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let l = 0; l < r && kept[l]! > 0; l++) sum += kept[l]! * vectors[l * r + a]! * vectors[l * r + b]!;
      projection[a * r + b] = sum;
      projection[b * r + a] = sum;
    }
  }
  return (await multiply(t, tensor("float32", [r, r], projection))).data as Float32Array;
}

/** E: each row shorter by t, and nothing where it was shorter than that. */
function shrinkRows(e: Float32Array, r: number, by: number): void {
  for (let at = 0; at < e.length; at += r) {
    let squared = 0;
    for (let c = at; c < at + r; c++) squared += e[c]! ** 2;
    const factor = Math.max(0, 1 - by / Math.max(Math.sqrt(squared), 1e-300));
    for (let c = at; c < at + r; c++) e[c]! *= factor;
  }
}

/** W = (MMᵀ)⁴ number by number, M the rows of U√S of length 1, for Z = VZ′ = USQᵀ. */
export async function affinityOf(
  { v }: ThinSvd,
  z: Tensor<"float32">,
  multiply: Multiply,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const r = v.shape[1]!;
  // Z′ is [n, r] transposed: its left vectors are the eigenvectors of Z′Z′ᵀ.
  const { values, vectors } = await symmetricEigen(await innerProducts(z, pace), r, pace);
  const least = (1e-4 * Math.sqrt(Math.max(0, values[0]!))) ** 2;
  const rank = Math.max(1, values.filter((value) => value > least).length);
  const turned = tensor("float32", [rank, r], Float32Array.from(vectors.subarray(0, rank * r)));
  const roots = scaledRows(turned, (a) => Math.max(0, values[a]!) ** 0.25);
  const m = unitTensor(await multiply(v, transposed(roots)));
  return fullProduct(m, transposed(m), (value) => value ** 4, multiply, pace);
}
