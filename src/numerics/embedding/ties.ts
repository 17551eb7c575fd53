/** How strongly rows are tied to their neighbours. */

import type { Neighbours } from "../neighbours/neighbours.ts";
import type { Pace } from "../pace.ts";

/** Each pair of tied rows once: row heads[e] and row tails[e] with a weight in (0, 1]. */
export interface Ties {
  readonly heads: Int32Array;
  readonly tails: Int32Array;
  readonly weights: Float32Array;
}

/**
 * The fuzzy union of what two rows are to each other (McInnes, Healy & Melville, "UMAP", 2018):
 *
 *   wᵢⱼ = pᵢⱼ + pⱼᵢ − pᵢⱼpⱼᵢ,   pᵢⱼ = exp(−max(0, dᵢⱼ − ρᵢ) / σᵢ) for the neighbours j of i, else 0,
 *
 * ρᵢ the distance to the nearest other code, and σᵢ such that Σⱼ pᵢⱼ = log₂ count: dense and sparse regions are tied
 * alike.
 */
export async function tiesOf({ count, rows, distances }: Neighbours, pace: Pace): Promise<Ties> {
  const n = count > 0 ? rows.length / count : 0;
  const own = new Float32Array(n * count);
  for (let i = 0; i < n; i++) {
    if (i % 256 === 0) await pace();
    strengths(distances.subarray(i * count, (i + 1) * count), own.subarray(i * count, (i + 1) * count));
  }
  const heads = new Int32Array(n * count);
  const tails = new Int32Array(n * count);
  const weights = new Float32Array(n * count);
  let size = 0;
  for (let i = 0; i < n; i++) {
    if (i % 1024 === 0) await pace();
    for (let at = i * count; at < (i + 1) * count; at++) {
      const j = rows[at]!;
      const back = rows.subarray(j * count, (j + 1) * count).indexOf(i);
      // A pair of rows that name each other is written by the first of the two.
      if (back >= 0 && j < i) continue;
      const [p, q] = [own[at]!, back < 0 ? 0 : own[j * count + back]!];
      heads[size] = i;
      tails[size] = j;
      weights[size++] = p + q - p * q;
    }
  }
  return { heads: heads.slice(0, size), tails: tails.slice(0, size), weights: weights.slice(0, size) };
}

/** pᵢⱼ for one row, from its distances in rising order; σᵢ is found by halving. */
export function strengths(distances: Float64Array, out: Float32Array): void {
  const nearest = distances.find((distance) => distance > 0) ?? 0;
  const wanted = Math.log2(distances.length);
  const sumFor = (sigma: number): number => {
    let sum = 0;
    for (const distance of distances) sum += distance <= nearest ? 1 : Math.exp((nearest - distance) / sigma);
    return sum;
  };
  // No σ is too large below the greatest distance times count: there the sum is almost `count`. None is needed below a
  // thousandth of the mean.
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  let [low, high] = [mean * 1e-3, mean * distances.length];
  for (let halving = 0; halving < 40 && high - low > 1e-5 * high; halving++) {
    const middle = (low + high) / 2;
    if (sumFor(middle) > wanted) high = middle;
    else low = middle;
  }
  for (let j = 0; j < distances.length; j++) {
    out[j] = distances[j]! <= nearest ? 1 : Math.exp((nearest - distances[j]!) / high);
  }
}
