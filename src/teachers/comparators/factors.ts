/**
 * What factorizations into parts have in common: rows without a number below 0, factors that are multiplied until the
 * loss hardly falls, and k-means of what is left of the rows.
 */

import { distinctRows } from "../../numerics/distinctRows.ts";
import { unitTensor } from "../../numerics/kmeans.ts";
import { pacedKMeans } from "../../numerics/pacedKMeans.ts";
import { number, whole } from "../../options.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Division } from "../partition.ts";
import type { Work } from "../teacher.ts";

export const factorOptions = {
  starts: whole("Random starts: the one with the smallest loss after ten iterations is gone on with.", 10, { from: 1 }),
  tolerance: number("It ends where the loss falls by less than this share in ten iterations.", 1e-5),
  iterations: whole("Iterations at most.", 500, { from: 1 }),
} as const;

/** Nothing is divided by less than this. */
const epsilon = 1e-10;

const tried = 10;

/** A factorization at work. */
export interface Factorization<F> {
  /** The rows, none below 0. */
  readonly x: Tensor<"float32">;
  start(): F;
  /** One update of every factor. */
  next(factors: F): Promise<F>;
  loss(factors: F): Promise<number>;
  /** V, [n, k], where the other factor's columns have length 1. */
  parts(factors: F): Promise<Tensor<"float32">>;
}

/** The best of several starts, until the loss hardly falls; then k-means of V. */
export async function divideFactors<F>(
  factorization: Factorization<F>,
  { clusters, random, pace, options }: Work<typeof factorOptions>,
  notes?: readonly string[],
): Promise<Division> {
  const { starts, tolerance, iterations } = options;
  // Where no more directions than clusters are different, there is nothing to factorize.
  const few = distinctRows(factorization.x, clusters);
  if (few) return { labels: few, ...(notes && { notes }) };
  let best: { factors: F; loss: number } | undefined;
  for (let start = 0; start < starts; start++) {
    let factors = factorization.start();
    for (let iteration = 0; iteration < Math.min(tried, iterations); iteration++) {
      await pace();
      factors = await factorization.next(factors);
    }
    const loss = await factorization.loss(factors);
    if (!best || loss < best.loss) best = { factors, loss };
  }
  let { factors, loss } = best!;
  for (let iteration = tried; iteration < iterations; iteration++) {
    await pace();
    factors = await factorization.next(factors);
    if (iteration % 10 > 0) continue;
    const now = await factorization.loss(factors);
    if (loss - now <= tolerance * Math.abs(loss)) break;
    loss = now;
  }
  const { labels } = await pacedKMeans(await factorization.parts(factors), clusters, { random, pace });
  return { labels, ...(notes && { notes }) };
}

/** Rows of length 1 without a number below 0; where there is one, each column is moved so that its least is 0. */
export function nonNegativeRows(rows: Tensor<"float32">): {
  readonly x: Tensor<"float32">;
  readonly notes?: readonly string[];
} {
  const { data, shape } = rows;
  if (!data.some((value) => value < 0)) return { x: unitTensor(rows) };
  const d = shape[1]!;
  const least = new Float32Array(d).fill(Number.POSITIVE_INFINITY);
  data.forEach((value, at) => {
    if (value < least[at % d]!) least[at % d] = value;
  });
  const moved = data.map((value, at) => value - least[at % d]!);
  return {
    x: unitTensor(tensor("float32", shape, moved)),
    notes: ["rows have numbers below 0, so that each column was moved to begin at 0"],
  };
}

/** A ∘ B / max(C, ε), number by number. */
export function multiplied(a: Float32Array, b: Float32Array, c: Float64Array): Float32Array {
  return a.map((value, at) => (value * b[at]!) / Math.max(c[at]!, epsilon));
}

/** AᵀB of two [n, k], in float64. */
export function crossProducts(a: Float32Array, b: Float32Array, k: number): Float64Array {
  const out = new Float64Array(k * k);
  for (let at = 0; at < a.length; at += k) {
    for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) out[i * k + j]! += a[at + i]! * b[at + j]!;
  }
  return out;
}

/** A·B of [n, k] and [k, k]. */
export function timesSquare(a: Float32Array, b: Float64Array, k: number): Float64Array {
  const out = new Float64Array(a.length);
  for (let at = 0; at < a.length; at += k) {
    for (let i = 0; i < k; i++) {
      const factor = a[at + i]!;
      for (let j = 0; j < k; j++) out[at + j]! += factor * b[i * k + j]!;
    }
  }
  return out;
}

/** Σ A ∘ B. */
export function innerProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** V with column j multiplied by a number. */
export function scaledColumns(v: Float32Array, k: number, by: (j: number) => number): Tensor<"float32"> {
  return tensor(
    "float32",
    [v.length / k, k],
    v.map((value, at) => value * by(at % k)),
  );
}
