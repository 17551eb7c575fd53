/** Whether a picture, or an embedding of more dimensions, may be trusted. */

import { squaredDistance } from "../numerics/distances.ts";
import type { Tensor } from "../tensor/tensor.ts";

export interface TrustworthinessOptions {
  /** Neighbours in the picture that are looked at, 15 unless told. */
  readonly neighbours?: number;
  /** Look at this many rows only, evenly spaced, among all others: the work grows with rows times this. */
  readonly rows?: number;
}

/**
 * How far neighbours in the picture are neighbours in the codes (Venna & Kaski, "Neighborhood preservation in nonlinear
 * projection methods", 2001):
 *
 *   1 − 2 / (n·k·(2n − 3k − 1)) · Σᵢ Σⱼ max(0, rᵢⱼ − k),
 *
 * over the k nearest rows j of each row i in the picture, where rᵢⱼ is 1 for the row whose code is nearest to that of
 * i, 2 for the next, and so on. 1 where all neighbours in the picture are neighbours; about 0.5 by chance. Equal
 * distances have the better rank.
 */
export function trustworthiness(
  codes: Tensor<"float32">,
  positions: Tensor<"float32">,
  { neighbours: k = 15, rows }: TrustworthinessOptions = {},
): number {
  const [n, d] = codes.shape as [number, number];
  const dimensions = positions.shape[1]!;
  if (positions.shape.length !== 2 || positions.shape[0] !== n) {
    throw new RangeError(`trustworthiness: ${n} codes need positions of shape [${n},m], got [${positions.shape}]`);
  }
  if (!Number.isInteger(k) || k < 1 || 2 * k >= n) {
    throw new RangeError(`trustworthiness: neighbours must be from 1 to below half of the ${n} rows, got ${k}`);
  }
  const every = Math.max(1, Math.floor(n / (rows ?? n)));
  let [looked, beyond] = [0, 0];
  for (let i = 0; i < n; i += every) {
    const inCodes = distancesFrom(codes.data, i, n, d);
    const inOrder = inCodes.toSorted();
    const inPicture = distancesFrom(positions.data, i, n, dimensions);
    const farthest = inPicture.toSorted()[k - 1]!;
    let left = k;
    // Those strictly within the k-th distance come first, then as many at it as there is room for.
    for (const atFarthest of [false, true]) {
      for (let j = 0; j < n && left > 0; j++) {
        if (atFarthest ? inPicture[j] !== farthest : !(inPicture[j]! < farthest)) continue;
        beyond += Math.max(0, rankOf(inCodes[j]!, inOrder) - k);
        left--;
      }
    }
    looked++;
  }
  return 1 - (2 / (looked * k * (2 * n - 3 * k - 1))) * beyond;
}

/** Squared distances from one row to all; Infinity to itself. */
function distancesFrom(data: Float32Array, row: number, n: number, d: number): Float64Array {
  return Float64Array.from({ length: n }, (_, j) =>
    j === row ? Number.POSITIVE_INFINITY : squaredDistance(data, row, data, j, d),
  );
}

/** 1 + how many are smaller. */
function rankOf(value: number, inOrder: Float64Array): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
