/** Scores that need no labels, by which one of several restarts is kept. */

import { silhouette } from "../metrics/silhouette.ts";
import { squaredDistance } from "../numerics/distances.ts";
import type { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { SharedOptions } from "./sharedOptions.ts";

/** What is known about a finished restart. */
export interface Finished {
  /** The method's loss over all rows, in the last epoch. */
  readonly loss: number;
  /** A sample of the codes, [m, latent], and their clusters. */
  readonly codes: Tensor<"float32">;
  readonly labels: Int32Array;
  readonly centers: Tensor<"float32">;
}

type Keeper = SharedOptions["keep"];
/** A finished restart in numbers that need no labels. */
export type Measures = Readonly<Record<Keeper, number>>;

/** By which of the measures larger is better. */
const largerIsBetter: Record<Keeper, boolean> = { loss: false, silhouette: true, divergence: false };

/** Whether one restart is to be kept instead of another. */
export function isBetter(one: Measures, other: Measures, by: Keeper): boolean {
  return largerIsBetter[by] ? one[by] > other[by] : one[by] < other[by];
}

export function measure(finished: Finished, random: Random): Measures {
  const { loss, codes, centers } = finished;
  return { loss, silhouette: silhouetteOf(finished, random), divergence: divergence(codes, centers) };
}

function silhouetteOf({ codes, labels }: Finished, random: Random): number {
  const found = new Set(labels).size;
  // With a single cluster, or one for each row, nothing can be compared.
  if (found < 2 || found >= labels.length) return -1;
  try {
    return silhouette(codes, labels, { sample: { size: 3000, random } });
  } catch {
    // The sample may have drawn a single cluster although there are more.
    return -1;
  }
}

/**
 * I5–I8 for any codes and centers: the mean of Σⱼ P₂ log(P₂/P₁), with Q₁ = max(0, u − z), Q₂ = 1/(1 + z²) normalized, P ∝ Q²/f.
 * During training it falls while the accuracy rises (invariance paper, Fig. 1a).
 */
export function divergence(codes: Tensor<"float32">, centers: Tensor<"float32">, epsilon = 1e-7): number {
  const [n, d] = codes.shape as [number, number];
  const k = centers.shape[0]!;
  const [first, second] = [new Float64Array(n * k), new Float64Array(n * k)];
  for (let i = 0; i < n; i++) {
    const z = Float64Array.from({ length: k }, (_, j) => Math.sqrt(squaredDistance(codes.data, i, centers.data, j, d)));
    const u = z.reduce((a, b) => a + b, 0) / k;
    const student = z.map((value) => 1 / (1 + value * value));
    const total = student.reduce((a, b) => a + b, 0);
    for (let j = 0; j < k; j++) {
      first[i * k + j] = Math.max(0, u - z[j]!);
      second[i * k + j] = student[j]! / total;
    }
  }
  const [p1, p2] = [sharpened(first, n, k), sharpened(second, n, k)];
  const total = p2.reduce((sum, p, at) => sum + p * Math.log((p + epsilon) / (p1[at]! + epsilon)), 0);
  return total / n;
}

/** I6: Pⱼ = (Qⱼ²/fⱼ) / Σ (Q²/f), fⱼ = Σ over rows of Qⱼ. */
function sharpened(q: Float64Array, n: number, k: number): Float64Array {
  const f = new Float64Array(k);
  q.forEach((value, at) => {
    f[at % k]! += value;
  });
  const p = q.map((value, at) => (f[at % k]! > 0 ? (value * value) / f[at % k]! : 0));
  for (let i = 0; i < n; i++) {
    const row = p.subarray(i * k, (i + 1) * k);
    const total = row.reduce((a, b) => a + b, 0);
    row.forEach((value, j) => {
      row[j] = total > 0 ? value / total : 1 / k;
    });
  }
  return p;
}
