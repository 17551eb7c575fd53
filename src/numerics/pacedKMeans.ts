/** k-means that lets others have their turn between its pieces. */

import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
import { iterateUntilStill, type KMeans, kmeans, unitTensor } from "./kmeans.ts";
import { Lloyd } from "./lloyd.ts";
import type { Pace } from "./pace.ts";

interface PacedKMeansOptions {
  /** 10 unless told. */
  readonly restarts?: number;
  /** Centers of length 1, for rows of length 1. */
  readonly spherical?: boolean;
  readonly random: Random;
  readonly pace: Pace;
}

/** A restart is one piece: on so many rows and numbers it takes a moment. */
const part = { rows: 10_000, numbers: 2 ** 20 };

/** On all rows, a piece is as many iterations as make so many differences, and one at least. */
const differences = 2 ** 25;

/** Iterations on all rows at most. */
const iterations = 100;

/**
 * The best of several starts, `kmeans` as it is. Of many rows a part decides which start is best, and all of them then
 * polish it.
 */
export async function pacedKMeans(
  rows: Tensor<"float32">,
  k: number,
  { restarts = 10, spherical = false, random, pace }: PacedKMeansOptions,
): Promise<KMeans> {
  const [n, d] = rows.shape as [number, number];
  const few = Math.max(20 * k, Math.min(part.rows, Math.floor(part.numbers / d)));
  const points = n > 2 * few ? takeRows(rows, random.permutation(n).subarray(0, few)) : rows;
  let best: KMeans | undefined;
  for (let restart = 0; restart < restarts; restart++) {
    await pace();
    const found = kmeans(points, k, random, { restarts: 1, spherical });
    if (!best || found.inertia < best.inertia) best = found;
  }
  if (points === rows) return best!;

  const piece = Math.max(1, Math.floor(differences / (n * d * k)));
  const run = new Lloyd(rows, best!.centers, spherical ? unitTensor : undefined);
  for (let done = 0; done < iterations; done += piece) {
    await pace();
    const before = run.inertia;
    iterateUntilStill(run, rows, piece);
    if (before - run.inertia <= 1e-7 * before) break;
  }
  return { centers: run.centers, labels: run.labels, inertia: run.exactInertia() };
}
