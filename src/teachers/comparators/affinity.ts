/**
 * Spectral clustering of a full affinity, as every method here ends that writes one down.
 *
 *   W  affinity [n, n], symmetric, none below 0      D  its row sums      U  first k eigenvectors of D^−½WD^−½
 */

import { leadingByBlocks, type TimesEach } from "../../numerics/blockKrylov.ts";
import { unitTensor } from "../../numerics/kmeans.ts";
import type { Multiply } from "../../numerics/matrix.ts";
import type { Pace } from "../../numerics/pace.ts";
import { pacedKMeans } from "../../numerics/pacedKMeans.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Division } from "../partition.ts";
import type { Work } from "../teacher.ts";
import { rowsBetween } from "./nearest.ts";

/** Full affinities are float32: so many rows have 1.6 GB. */
export const mostRows = 20_000;

/** Products in float32 are no more exact. */
const residual = 1e-4;

/** Numbers of a product that are written at a time. */
const atOnce = 2 ** 22;

/** k-means of the unit rows of U (Ng, Jordan & Weiss, 2001). */
export async function divideAffinity(
  w: Tensor<"float32">,
  { clusters: k, random, pace, multiply }: Pick<Work, "clusters" | "random" | "pace" | "multiply">,
): Promise<Division> {
  const u = await leadingVectors(w, k, { random, pace, multiply });
  return pacedKMeans(unitTensor(u), k, { random, pace });
}

/** U, [n, k]. */
async function leadingVectors(
  w: Tensor<"float32">,
  k: number,
  { random, pace, multiply }: Pick<Work, "random" | "pace" | "multiply">,
): Promise<Tensor<"float32">> {
  const n = w.shape[0]!;
  const scale = await rootDegrees(w, pace);
  const times: TimesEach = async (x, y) => {
    const m = x.length / n;
    const columns = new Float32Array(n * m);
    for (let j = 0; j < m; j++) for (let i = 0; i < n; i++) columns[i * m + j] = scale[i]! * x[j * n + i]!;
    const { data } = await multiply(w, tensor("float32", [n, m], columns));
    for (let j = 0; j < m; j++) for (let i = 0; i < n; i++) y[j * n + i] = scale[i]! * data[i * m + j]!;
    await pace();
  };
  const { vectors } = await leadingByBlocks(times, n, k, { random, pace, residual });
  const found = vectors.length / n;
  const u = new Float32Array(n * found);
  for (let j = 0; j < found; j++) for (let i = 0; i < n; i++) u[i * found + j] = vectors[j * n + i]!;
  return tensor("float32", [n, found], u);
}

/** 1/√Dᵢᵢ; a row that is tied to nobody has 0. */
async function rootDegrees({ data, shape }: Tensor<"float32">, pace: Pace): Promise<Float64Array> {
  const n = shape[0]!;
  const scale = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    await pace();
    let sum = 0;
    for (let at = i * n; at < (i + 1) * n; at++) sum += data[at]!;
    scale[i] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  }
  return scale;
}

/** A·B as one full matrix [n, n], each number as `then` has it. */
export async function fullProduct(
  a: Tensor<"float32">,
  b: Tensor<"float32">,
  then: (value: number, i: number, j: number) => number,
  multiply: Multiply,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const n = a.shape[0]!;
  const w = new Float32Array(n * n);
  const block = Math.max(1, Math.floor(atOnce / n));
  for (let from = 0; from < n; from += block) {
    const to = Math.min(n, from + block);
    const { data } = await multiply(rowsBetween(a, from, to), b);
    for (let i = from; i < to; i++) {
      await pace();
      for (let j = 0, at = (i - from) * n; j < n; j++, at++) w[i * n + j] = then(data[at]!, i, j);
    }
  }
  return tensor("float32", [n, n], w);
}

/** W ← (W + Wᵀ)/2, in place. */
export async function symmetric({ data, shape }: Tensor<"float32">, pace: Pace): Promise<void> {
  const n = shape[0]!;
  const side = 64;
  for (let top = 0; top < n; top += side) {
    await pace();
    for (let left = 0; left <= top; left += side) {
      for (let i = top; i < Math.min(n, top + side); i++) {
        for (let j = left; j < Math.min(i, left + side); j++) {
          const mean = (data[i * n + j]! + data[j * n + i]!) / 2;
          data[i * n + j] = mean;
          data[j * n + i] = mean;
        }
      }
    }
  }
}
