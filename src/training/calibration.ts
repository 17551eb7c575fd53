/**
 * Probabilities that are as large as they are often right.
 *
 *   d  distances [n, k]      y  the cluster that the teacher says
 *   T  temperature           p  softmax(−d/T)
 */

import { type Tensor, tensor } from "../tensor/tensor.ts";

/** Distances of rows to the clusters, and which one is right. */
export interface Judged {
  readonly distances: Tensor<"float32">;
  readonly labels: Int32Array;
}

/** Gathers the distances of those rows of a pass that have a label. */
export class Judging {
  readonly #held: Int32Array;
  readonly #clusters: number;
  readonly #distances: Float32Array;
  readonly #labels: Int32Array;
  #count = 0;

  /** A label for every row, −1 for those that are not judged. */
  constructor(held: Int32Array, clusters: number) {
    const count = held.reduce((sum, label) => sum + (label >= 0 ? 1 : 0), 0);
    this.#held = held;
    this.#clusters = clusters;
    this.#distances = new Float32Array(count * clusters);
    this.#labels = new Int32Array(count);
  }

  add(row: number, distances: Float32Array): void {
    if (this.#held[row]! < 0) return;
    this.#distances.set(distances, this.#count * this.#clusters);
    this.#labels[this.#count++] = this.#held[row]!;
  }

  /** Nothing, where no row had a label. */
  judged(): Judged | undefined {
    if (this.#count === 0) return undefined;
    return { distances: tensor("float32", [this.#count, this.#clusters], this.#distances), labels: this.#labels };
  }
}

/**
 * T = argmin Σ −(1 − ε) log pᵧ − ε/(k − 1) Σⱼ log pⱼ over the other j, by golden section over log T, from a first
 * guess a thousand times up and down. ε = 1/(n + 2): that n rows were right does not say that the next will be
 * (Laplace).
 */
export function calibratedTemperature(judged: Judged, guess: number): number {
  const loss = (logT: number): number => surprise(judged, Math.exp(logT));
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(guess) - Math.log(1000), Math.log(guess) + Math.log(1000)];
  let [a, b] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [lossA, lossB] = [loss(a), loss(b)];
  for (let step = 0; step < 40; step++) {
    if (lossA <= lossB) {
      [high, b, lossB] = [b, a, lossA];
      a = high - ratio * (high - low);
      lossA = loss(a);
    } else {
      [low, a, lossA] = [a, b, lossB];
      b = low + ratio * (high - low);
      lossB = loss(b);
    }
  }
  return Math.exp((low + high) / 2);
}

/** log pⱼ = −dⱼ/T − log Σ exp(−d/T), from the least distance on, so that nothing overflows. */
function surprise({ distances: { data, shape }, labels }: Judged, T: number): number {
  const [n, k] = shape as [number, number];
  const epsilon = 1 / (n + 2);
  let total = 0;
  for (let i = 0; i < n; i++) {
    const own = data.subarray(i * k, (i + 1) * k);
    const least = Math.min(...own);
    const logSum = Math.log(own.reduce((sum, distance) => sum + Math.exp((least - distance) / T), 0));
    own.forEach((distance, j) => {
      const weight = j === labels[i] ? 1 - epsilon : epsilon / (k - 1);
      total += weight * ((distance - least) / T + logSum);
    });
  }
  return total;
}

/** ECE = Σ over 10 bins of (its rows / n)·|the mean of its largest p − the share of its rows that are right|. */
export function calibrationError({ distances: { data, shape }, labels }: Judged, T: number): number {
  const [n, k] = shape as [number, number];
  if (n === 0) return 0;
  const bins = Array.from({ length: 10 }, () => ({ sure: 0, right: 0 }));
  for (let i = 0; i < n; i++) {
    const own = data.subarray(i * k, (i + 1) * k);
    const nearest = own.indexOf(Math.min(...own));
    const p = probabilityOf(own, nearest, T);
    const bin = bins[Math.min(9, Math.floor(10 * p))]!;
    bin.sure += p;
    if (nearest === labels[i]) bin.right++;
  }
  return bins.reduce((sum, { sure, right }) => sum + Math.abs(sure - right), 0) / n;
}

function probabilityOf(distances: Float32Array, j: number, T: number): number {
  const least = Math.min(...distances);
  let total = 0;
  for (const distance of distances) total += Math.exp((least - distance) / T);
  return Math.exp((least - distances[j]!) / T) / total;
}
