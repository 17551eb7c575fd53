/** How much nearer rows are to their own cluster than to the next. */

import { squaredDistance } from "../numerics/distances.ts";
import type { Random } from "../tensor/random.ts";
import type { Labels } from "./labels.ts";
import { type ClusteredRows, chosenRows, clusteredRows, type Rows } from "./rows.ts";

export interface SilhouetteOptions {
  /** Score this many rows, drawn at random, among themselves: the work grows with the square of the rows. */
  sample?: { readonly size: number; readonly random: Random };
}

/**
 * The mean silhouette (Rousseeuw, "Silhouettes: a graphical aid", Journal of Computational and Applied Mathematics 20,
 * 1987),
 *
 *   sᵢ = (βᵢ − αᵢ) / max(αᵢ, βᵢ),
 *
 * where αᵢ is the mean distance from row i to the other rows of its cluster, and βᵢ that to the rows of the nearest
 * other cluster. A row alone in its cluster has sᵢ = 0, and so has one with αᵢ = βᵢ = 0.
 */
export function silhouette(rows: Rows, labels: Labels, { sample }: SilhouetteOptions = {}): number {
  const all = clusteredRows("silhouette", rows, labels);
  if (!sample) return meanSilhouette(all);
  if (!Number.isInteger(sample.size) || sample.size < 1) {
    throw new RangeError(`silhouette: a sample must have a whole number of rows from 1, got ${sample.size}`);
  }
  if (sample.size >= all.n) return meanSilhouette(all);
  return meanSilhouette(
    chosenRows("silhouette of a sample", all, sample.random.permutation(all.n).subarray(0, sample.size)),
  );
}

function meanSilhouette(rows: ClusteredRows): number {
  const { n, of, sizes } = rows;
  const k = sizes.length;
  const distances = distancesToClusters(rows);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const own = of[i]!;
    if (sizes[own] === 1) continue;
    const alpha = distances[i * k + own]! / (sizes[own]! - 1);
    let beta = Infinity;
    for (let j = 0; j < k; j++) {
      if (j !== own) beta = Math.min(beta, distances[i * k + j]! / sizes[j]!);
    }
    const larger = Math.max(alpha, beta);
    if (larger > 0) sum += (beta - alpha) / larger;
  }
  return sum / n;
}

/** Σ of the distances from row i to the rows of cluster j, in [n, k]: all that is kept of the n² distances. */
function distancesToClusters({ n, d, data, of, sizes }: ClusteredRows): Float64Array {
  const k = sizes.length;
  const sums = new Float64Array(n * k);
  // Each pair once, block against block, so that the rows of both stay near the processor.
  const block = 64;
  for (let top = 0; top < n; top += block) {
    for (let left = top; left < n; left += block) {
      for (let i = top; i < Math.min(top + block, n); i++) {
        for (let j = Math.max(left, i + 1); j < Math.min(left + block, n); j++) {
          const distance = Math.sqrt(squaredDistance(data, i, data, j, d));
          sums[i * k + of[j]!]! += distance;
          sums[j * k + of[i]!]! += distance;
        }
      }
    }
  }
  return sums;
}
