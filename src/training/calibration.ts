/**
 * Probabilities that are as large as they are often right.
 *
 *   d  distances [n, k]      y  the cluster that the teacher says
 *   T  temperature           p  softmax(−d/T)
 */

import { Random } from "../tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";

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
 * T with which the mean of the largest p is the share of rows that are right, (r + ½)/(n + 1): that all of n rows were
 * right does not say that the next will be (Jeffreys). By halving over log T, from a first guess, 10⁵ times up and
 * down; p falls as T rises. (Clarté, Loureiro, Krzakala & Zdeborová, Expectation consistency for calibration of neural
 * networks, UAI 2023.) On rows in the tens the least surprise, the usual rule, is pulled by the few that are far from
 * every border, and leaves those near one too unsure.
 */
export function calibratedTemperature(judged: Judged, guess: number): number {
  const n = judged.labels.length;
  if (n === 0) return guess;
  const saysAt = (T: number) => saysOf(judged, new Float64Array(n).fill(T));
  const share = (saysAt(guess).reduce((sum, { isRight }) => sum + Number(isRight), 0) + 0.5) / (n + 1);
  let [low, high] = [Math.log(guess) - Math.log(1e5), Math.log(guess) + Math.log(1e5)];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    const sure = saysAt(Math.exp(middle)).reduce((sum, { p }) => sum + p, 0) / n;
    if (sure > share) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

const folds = 10;

/** T for each row, of a tenth at a time the one that fits the other nine: what was fitted to a row flatters it. */
export function crossFitted(judged: Judged, guess: number): Float64Array {
  const order = Random.seeded(1).permutation(judged.labels.length);
  const temperatures = new Float64Array(order.length);
  for (let fold = 0; fold < folds; fold++) {
    const others = order.filter((_, at) => at % folds !== fold);
    const T = calibratedTemperature(judgedAt(judged, others), guess);
    for (let at = fold; at < order.length; at += folds) temperatures[order[at]!] = T;
  }
  return temperatures;
}

function judgedAt({ distances, labels }: Judged, rows: Int32Array): Judged {
  return { distances: takeRows(distances, rows), labels: rows.map((row) => labels[row]!) };
}

/** In a bin of fewer rows chance alone would make a gap. */
const fewestInBin = 10;

/**
 * ECE = Σ over bins of |Σ of its largest p − how many of its rows are right| / n: of rows in the order of p a tenth
 * each, ten at least, and never apart where p is the same. T is that of each row.
 */
export function calibrationError(judged: Judged, T: Float64Array): number {
  const said = saysOf(judged, T).sort((a, b) => a.p - b.p);
  const n = said.length;
  const size = Math.max(fewestInBin, n / 10);
  let [gaps, gap, rows] = [0, 0, 0];
  said.forEach(({ p, isRight }, i) => {
    gap += p - Number(isRight);
    rows++;
    const [left, next] = [n - 1 - i, said[i + 1]?.p ?? 2];
    if (left > 0 && (rows < size || left < fewestInBin || next === p)) return;
    gaps += Math.abs(gap);
    [gap, rows] = [0, 0];
  });
  return n === 0 ? 0 : gaps / n;
}

/** Of each row the largest p, 1 / Σ exp((least − d)/T), and whether its cluster is the right one. */
function saysOf({ distances: { data, shape }, labels }: Judged, T: Float64Array): { p: number; isRight: boolean }[] {
  const k = shape[1]!;
  return Array.from(labels, (label, i) => {
    let [least, nearest] = [Number.POSITIVE_INFINITY, 0];
    for (let j = 0; j < k; j++) if (data[i * k + j]! < least) [least, nearest] = [data[i * k + j]!, j];
    let total = 0;
    for (let j = 0; j < k; j++) total += Math.exp((least - data[i * k + j]!) / T[i]!);
    return { p: 1 / total, isRight: nearest === label };
  });
}
