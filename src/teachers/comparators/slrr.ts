/**
 * Scalable low-rank representation: LRR of some rows, and each other row goes to the cluster whose rows express it
 * best.
 * Peng, Tang, Zhang, Yi & Yan, 2016.
 *
 *   A  p rows drawn at random, of length 1 [p, d]      c  how a row is made of them      κ  weight of the squares of c
 */

import { distinctRows } from "../../numerics/distinctRows.ts";
import { unitTensor } from "../../numerics/kmeans.ts";
import { type Multiply, scaledRows, transposed } from "../../numerics/matrix.ts";
import type { Pace } from "../../numerics/pace.ts";
import { number, whole } from "../../options.ts";
import { type Tensor, takeRows, tensor } from "../../tensor/tensor.ts";
import { thousands } from "../../text/thousands.ts";
import { teacher } from "../teacher.ts";
import { divideAffinity } from "./affinity.ts";
import { affinityOf, lowRank, lowRankOptions } from "./lrr.ts";
import { rowsBetween } from "./nearest.ts";
import { expressedOf } from "./selfExpression.ts";

const options = {
  ...lowRankOptions,
  landmarks: whole("p, how many rows LRR is made of.", 1000, { from: 10, to: 10_000 }),
  kappa: number("κ, the weight of the squares in expressing the other rows.", 1e-6, { from: 1e-9 }),
} as const;

/** Numbers of coefficients that are written at a time. */
const atOnce = 2 ** 22;

export const slrr = teacher({
  name: "slrr",
  about:
    "Clusters that lie in subspaces, among many rows: LRR of some rows, and the others to those that express them.",
  paper:
    "Peng, Tang, Zhang, Yi & Yan, A unified framework for representation-based subspace clustering of out-of-sample and large-scale data, IEEE TNNLS 27, 2016",
  clusters: "told",
  most: 500_000,
  options,
  async divide(rows, work) {
    const { clusters: k, random, pace, multiply, options } = work;
    const x = unitTensor(rows);
    const few = distinctRows(x, k);
    if (few) return { labels: few };
    const n = x.shape[0]!;
    const p = Math.min(n, options.landmarks);
    const places = random.permutation(n).subarray(0, p).sort();
    const a = takeRows(x, places);
    const expressed = await expressedOf(a, options.axes, work);
    const w = await affinityOf(expressed, await lowRank(expressed, options, multiply, pace), multiply, pace);
    const { labels: known } = await divideAffinity(w, work);
    const labels = p === n ? known : await byResidual(x, a, known, k, options.kappa, multiply, pace);
    places.forEach((row, at) => {
      labels[row] = known[at]!;
    });
    const note = `slrr divided ${thousands(p)} rows by LRR; each other row is where rows express it best`;
    return { labels, ...(p < n && { notes: [note] }) };
  },
});

/** argminⱼ ‖x − cⱼAⱼ‖, cⱼ and Aⱼ the part of cluster j. */
export async function byResidual(
  x: Tensor<"float32">,
  a: Tensor<"float32">,
  known: Int32Array,
  k: number,
  kappa: number,
  multiply: Multiply,
  pace: Pace,
): Promise<Int32Array> {
  const [n, d] = x.shape as [number, number];
  const p = a.shape[0]!;
  const coding = await codingOf(a, kappa, multiply, pace);
  const labels = new Int32Array(n);
  const block = Math.max(1, Math.floor(atOnce / p));
  for (let from = 0; from < n; from += block) {
    const part = rowsBetween(x, from, Math.min(n, from + block));
    const m = part.shape[0]!;
    const c = await multiply(part, coding);
    const least = new Float64Array(m).fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < k; j++) {
      await pace();
      const own = c.data.map((value, at) => (known[at % p] === j ? value : 0));
      const { data } = await multiply(tensor("float32", [m, p], own), a);
      for (let i = 0; i < m; i++) {
        let squared = 0;
        for (let at = i * d; at < (i + 1) * d; at++) squared += (part.data[at]! - data[at]!) ** 2;
        if (squared < least[i]!) [least[i], labels[from + i]] = [squared, j];
      }
    }
  }
  return labels;
}

/** Aᵀ(AAᵀ + κ)⁻¹ = AᵀV (σ² + κ)⁻¹ Vᵀ, [d, p]: a row times it is c. */
async function codingOf(
  a: Tensor<"float32">,
  kappa: number,
  multiply: Multiply,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const { v, sigma } = await expressedOf(a, 0, { multiply, pace });
  const scaled = scaledRows(transposed(v), (l) => 1 / (sigma[l]! ** 2 + kappa));
  return multiply(await multiply(transposed(a), v), scaled);
}
