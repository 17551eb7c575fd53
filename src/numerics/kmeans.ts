/** k-means on rows in memory. */

import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";
import { squaredDistance } from "./distances.ts";
import { Lloyd } from "./lloyd.ts";
import { sumsByLabel } from "./sumsByLabel.ts";

export interface KMeansOptions {
  /** How often to begin anew; the smallest sum of squares is kept. */
  restarts?: number;
  iterations?: number;
  /** Centers of length 1, for codes of length 1. */
  spherical?: boolean;
}

export interface KMeans {
  readonly centers: Tensor<"float32">;
  readonly labels: Int32Array;
  /** Σ of the squared distances to the nearest center. */
  readonly inertia: number;
}

/** So many numbers are gone through in about a second of restarts. */
const largestPart = 2 ** 20;

/** The best of several runs of Lloyd's algorithm, each from k-means++. */
export function kmeans(codes: Tensor<"float32">, k: number, random: Random, options: KMeansOptions = {}): KMeans {
  const { restarts = 10 } = options;
  const [n, d] = codes.shape as [number, number];
  // Which start is best shows on a part of many rows as well; the rest then only polishes it.
  const part = Math.max(20 * k, Math.min(10_000, Math.floor(largestPart / d)));
  const points = n > 2 * part ? takeRows(codes, random.permutation(n).subarray(0, part)) : codes;
  let best: KMeans | undefined;
  for (let restart = 0; restart < restarts; restart++) {
    const found = lloyd(points, plusPlus(points, k, random), options);
    if (!best || found.inertia < best.inertia) best = found;
  }
  return points === codes ? best! : lloyd(codes, best!.centers, options);
}

/**
 * k-means++ (Arthur & Vassilvitskii, 2007), greedy: each next center is the best of 2 + ⌊ln k⌋ rows drawn in proportion
 * to their squared distance from the centers so far. With fewer different rows than centers, some are drawn twice.
 */
export function plusPlus(codes: Tensor<"float32">, k: number, random: Random): Tensor<"float32"> {
  const [n, d] = codes.shape as [number, number];
  const first = random.below(n);
  const nearest = Float64Array.from({ length: n }, (_, i) => squaredDistance(codes.data, i, codes.data, first, d));
  const others = farRows(codes, nearest, k - 1, random, 2 + Math.floor(Math.log(k)));
  return takeRows(codes, Int32Array.from([first, ...others]));
}

/**
 * So many rows for centers beside those that are there, one after the other, each the best of some that are drawn in
 * proportion to `nearest`: the squared distance of each row from the centers so far, which is kept up to date.
 */
export function farRows(
  { data, shape }: Tensor<"float32">,
  nearest: Float64Array,
  wanted: number,
  random: Random,
  trials: number,
): number[] {
  const [n, d] = shape as [number, number];
  let [best, tried] = [new Float64Array(n), new Float64Array(n)];
  /** What is left once a row is a center too, into `tried`, and its sum. */
  const leftBy = (row: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      tried[i] = Math.min(nearest[i]!, squaredDistance(data, i, data, row, d));
      sum += tried[i]!;
    }
    return sum;
  };
  return Array.from({ length: wanted }, () => {
    const sum = nearest.reduce((before, value) => before + value, 0);
    let [chosen, least] = [-1, Number.POSITIVE_INFINITY];
    for (let trial = 0; trial < trials; trial++) {
      const row = sum > 0 ? positionAt(nearest, random.uniform() * sum) : random.below(n);
      const left = leftBy(row);
      if (chosen >= 0 && left >= least) continue;
      [chosen, least] = [row, left];
      [best, tried] = [tried, best];
    }
    nearest.set(best);
    return chosen;
  });
}

/**
 * Lloyd's algorithm: each row to its nearest center, each center to the mean of its rows, until nothing moves. A center
 * that has no rows by then goes to the row that is farthest from its own, and it all goes on.
 */
export function lloyd(
  codes: Tensor<"float32">,
  start: Tensor<"float32">,
  { iterations = 100, spherical = false }: KMeansOptions = {},
): KMeans {
  const run = new Lloyd(codes, start, spherical ? unitTensor : undefined);
  iterateUntilStill(run, codes, iterations);
  return { centers: run.centers, labels: run.labels, inertia: run.exactInertia() };
}

/** At most so many iterations; it is still where one gains no more than a ten-millionth, and every center has rows. */
export function iterateUntilStill(run: Lloyd, codes: Tensor<"float32">, iterations: number): void {
  for (let iteration = 0; iteration < iterations; iteration++) {
    const before = run.inertia;
    run.iterate();
    if (before - run.inertia > 1e-7 * before) continue;
    const refilled = run.isEmptySomewhere && run.exactInertia() > 0 && withoutEmpty(codes, run.labels, run.centers);
    if (!refilled) break;
    run.moveTo(refilled);
  }
}

/** The centers, those without rows at the rows that are farthest from their own; nothing where every one has rows. */
function withoutEmpty(
  { data, shape }: Tensor<"float32">,
  labels: Int32Array,
  { data: before, shape: size }: Tensor<"float32">,
): Tensor<"float32"> | undefined {
  const [k, d] = size as [number, number];
  const isThere = new Uint8Array(k);
  for (const label of labels) isThere[label] = 1;
  if (!isThere.includes(0)) return undefined;
  const centers = before.slice();
  const left = Float64Array.from({ length: shape[0]! }, (_, i) => squaredDistance(data, i, before, labels[i]!, d));
  isThere.forEach((is, j) => {
    const farthest = is ? -1 : left.reduce((best, distance, i) => (distance > left[best]! ? i : best), 0);
    if (farthest < 0 || left[farthest] === 0) return;
    centers.set(data.subarray(farthest * d, (farthest + 1) * d), j * d);
    left.forEach((distance, i) => {
      left[i] = Math.min(distance, squaredDistance(data, i, centers, j, d));
    });
  });
  return tensor("float32", size, centers);
}

/** The mean of the rows with each label; where there are none, the center that was. */
export function meansByLabel(
  rows: Tensor<"float32">,
  labels: Int32Array,
  before: Tensor<"float32">,
): Tensor<"float32"> {
  const [k, d] = before.shape as [number, number];
  const { sums, sizes } = sumsByLabel(rows.data, d, labels, k);
  const centers = before.data.slice();
  for (let j = 0; j < k; j++) {
    if (sizes[j] === 0) continue;
    for (let c = 0; c < d; c++) centers[j * d + c] = sums[j * d + c]! / sizes[j]!;
  }
  return tensor("float32", [k, d], centers);
}

/** Rows of length 1. */
export function unitTensor({ data, shape }: Tensor<"float32">): Tensor<"float32"> {
  const [n, d] = shape as [number, number];
  const scaled = data.slice();
  for (let i = 0; i < n; i++) toUnit(scaled, i * d, d);
  return tensor("float32", shape, scaled);
}

function toUnit(values: Float32Array, at: number, d: number): void {
  let sum = 0;
  for (let c = 0; c < d; c++) sum += values[at + c]! ** 2;
  if (sum === 0) return;
  for (let c = 0; c < d; c++) values[at + c]! /= Math.sqrt(sum);
}

/** The position at which the running sum of the weights passes a number. */
function positionAt(weights: Float64Array, target: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]!;
    if (sum > target) return i;
  }
  return weights.findLastIndex((weight) => weight > 0);
}
