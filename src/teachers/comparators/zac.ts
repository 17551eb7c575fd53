/**
 * Agglomerative clustering by the zeta function of a graph: the two clusters that have the most closed walks through
 * each other become one.
 * Zhao & Tang, 2008.
 *
 *   K, a, z  neighbours, width of the weights, and how much a longer walk counts
 *   P   [n, n], directed: 1 for a row itself, exp(−d²/σ²) for its K nearest, rows that sum to 1
 *   σ²  a times the mean squared distance to the K nearest
 *   P_C P between the rows of a cluster C alone
 *
 * (1 − zP_C)⁻¹ = 1 + zP_C + z²P_C² + …; the diagonal counts closed walks. With z = 0.01 walks of more than four steps
 * change it by 1e-10, and are left out.
 */

import { squaredDistance } from "../../numerics/distances.ts";
import type { Neighbours } from "../../numerics/neighbours/neighbours.ts";
import type { Pace } from "../../numerics/pace.ts";
import { sumsByLabel } from "../../numerics/sumsByLabel.ts";
import { number, whole } from "../../options.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { teacher } from "../teacher.ts";
import { nearestOf, standing } from "./nearest.ts";

const options = {
  neighbours: whole("K, how many nearest rows a row is tied to.", 20, { from: 2, to: 200 }),
  a: number("a, how wide the weights are.", 0.95, { from: 0.01, to: 100 }),
  z: number("z, how much a walk of one step more counts.", 0.01, { from: 1e-4, to: 0.05 }),
} as const;

export const zac = teacher({
  name: "zac",
  about:
    "Clusters of any form that are tied by closed walks among neighbours: joins the two with the most between them.",
  paper: "Zhao & Tang, Cyclizing clusters via zeta function of a graph, NIPS 21, 2008",
  clusters: "told",
  most: 20_000,
  options,
  async divide(rows, { clusters: k, multiply, pace, options }) {
    const x = standing(rows);
    const near = await nearestOf(x, x, options.neighbours, multiply, pace);
    const clusters = new Clusters(walksOf(near, options.a), options.z, nearestPairs(near));
    while (clusters.count > k && (await clusters.join(pace)) !== undefined);
    return { labels: joinedByMeans(clusters.labels(), x, k) };
  },
});

/** P, row by row: where each step leads, and how likely; and who leads to whom. */
interface Walks {
  readonly to: readonly Int32Array[];
  readonly weight: readonly Float64Array[];
  /** Rows that lead to a row, itself left out. */
  readonly from: readonly (readonly number[])[];
}

/** Weights so narrow that the nearest row has none are widened by doubling σ². */
export function walksOf({ count, rows, distances }: Neighbours, a: number): Walks {
  const n = count > 0 ? rows.length / count : 0;
  let squared = (a * distances.reduce((sum, far) => sum + far * far, 0)) / distances.length || 1;
  let farthest = 0;
  for (let i = 0; i < n; i++) farthest = Math.max(farthest, distances[i * count]!);
  while (Math.exp((-farthest * farthest) / squared) <= 1e-5) squared *= 2;
  const from: number[][] = Array.from({ length: n }, () => []);
  const [to, weight]: [Int32Array[], Float64Array[]] = [[], []];
  for (let i = 0; i < n; i++) {
    const steps = rows.subarray(i * count, (i + 1) * count);
    const weights = Float64Array.from(distances.subarray(i * count, (i + 1) * count), (far) =>
      Math.exp((-far * far) / squared),
    );
    const total = 1 + weights.reduce((sum, value) => sum + value, 0);
    to.push(Int32Array.of(i, ...steps));
    weight.push(Float64Array.of(1 / total, ...weights.map((value) => value / total)));
    for (const j of steps) from[j]!.push(i);
  }
  return { to, weight, from };
}

/** Each row with its nearest, and whoever these are with. */
export function nearestPairs({ count, rows }: Neighbours): Int32Array {
  const parent = Int32Array.from({ length: rows.length / count }, (_, i) => i);
  const rootOf = (row: number): number => {
    while (parent[row] !== row) row = parent[row] = parent[parent[row]!]!;
    return row;
  };
  for (let i = 0; i < parent.length; i++) parent[rootOf(i)] = rootOf(rows[i * count]!);
  return parent.map((_, row) => rootOf(row));
}

/** Clusters that are left, and how much each two that are tied have to gain. */
export class Clusters {
  readonly #walks: Walks;
  readonly #z: number;
  /** The cluster of each row, by the number of one of its rows. */
  readonly #of: Int32Array;
  readonly #members = new Map<number, number[]>();
  /** log of each row's closed walks in its own cluster. */
  readonly #own: Float64Array;
  /** Gains with those clusters that a cluster is tied to. */
  readonly #gains = new Map<number, Map<number, number>>();
  /** Of walks from one row: how likely they are at each other row. */
  readonly #one: Float64Array;
  readonly #two: Float64Array;

  constructor(walks: Walks, z: number, first: Int32Array) {
    this.#walks = walks;
    this.#z = z;
    this.#of = first.slice();
    const n = first.length;
    this.#own = new Float64Array(n);
    this.#one = new Float64Array(n);
    this.#two = new Float64Array(n);
    first.forEach((name, row) => {
      const members = this.#members.get(name);
      if (members) members.push(row);
      else this.#members.set(name, [row]);
    });
    for (let row = 0; row < n; row++) this.#own[row] = this.#complexity(row, first[row]!, first[row]!);
  }

  get count(): number {
    return this.#members.size;
  }

  labels(): Int32Array {
    return this.#of.slice();
  }

  /** Joins the two clusters that gain most, and says how much; nothing where no two are tied. */
  async join(pace: Pace): Promise<number | undefined> {
    if (this.#gains.size === 0) for (const name of this.#members.keys()) await this.#look(name, pace);
    let [one, other, most] = [-1, -1, Number.NEGATIVE_INFINITY];
    for (const [name, gains] of this.#gains) {
      for (const [with_, gain] of gains) if (gain > most) [one, other, most] = [name, with_, gain];
    }
    if (one < 0) return undefined;
    await this.#unite(one, other, pace);
    return most;
  }

  async #unite(one: number, other: number, pace: Pace): Promise<void> {
    const [stayed, gone] = [this.#members.get(one)!, this.#members.get(other)!];
    const changed = [...stayed.filter((row) => this.#isTied(row, other)), ...gone];
    for (const row of gone) this.#of[row] = one;
    this.#members.set(one, [...stayed, ...gone]);
    this.#members.delete(other);
    for (const row of changed) this.#own[row] = this.#complexity(row, one, one);
    for (const name of this.#gains.get(other)?.keys() ?? []) this.#gains.get(name)?.delete(other);
    this.#gains.delete(other);
    await this.#look(one, pace);
  }

  /** The gains of a cluster with all that it is tied to. */
  async #look(name: number, pace: Pace): Promise<void> {
    const { to, from } = this.#walks;
    const tied = new Set<number>();
    for (const row of this.#members.get(name)!) {
      for (const step of to[row]!) tied.add(this.#of[step]!);
      for (const step of from[row]!) tied.add(this.#of[step]!);
    }
    tied.delete(name);
    const gains = new Map<number, number>();
    for (const other of tied) {
      await pace();
      const gain = this.#gain(name, other) + this.#gain(other, name);
      gains.set(other, gain);
      this.#gains.get(other)?.set(name, gain);
    }
    this.#gains.set(name, gains);
  }

  /** χ_{C|C∪C′} − χ_C: what rows of C gain by walks through C′, on average. */
  #gain(c: number, other: number): number {
    const members = this.#members.get(c)!;
    let sum = 0;
    for (const row of members) {
      if (this.#isTied(row, other)) sum += this.#complexity(row, c, other) - this.#own[row]!;
    }
    return sum / members.length;
  }

  /** Whoever is tied to nobody in a cluster has no shorter walk through it than one of four steps. */
  #isTied(row: number, name: number): boolean {
    const isThere = (step: number): boolean => this.#of[step] === name;
    return this.#walks.to[row]!.some(isThere) || this.#walks.from[row]!.some(isThere);
  }

  /** log((1 − zP)⁻¹ᵢᵢ) ≈ log(1 + zP + z²P² + z³P³ + z⁴P⁴)ᵢᵢ between the rows of two clusters. */
  #complexity(i: number, c: number, other: number): number {
    const { to, weight, from } = this.#walks;
    const [one, two] = [this.#one, this.#two];
    const isIn = (row: number): boolean => this.#of[row] === c || this.#of[row] === other;
    const eachStep = (row: number, take: (step: number, share: number) => void): void => {
      const [steps, shares] = [to[row]!, weight[row]!];
      for (let at = 0; at < steps.length; at++) if (isIn(steps[at]!)) take(steps[at]!, shares[at]!);
    };
    const reached: number[] = [];
    eachStep(i, (j, first) => {
      one[j]! += first;
      eachStep(j, (l, second) => {
        if (two[l] === 0) reached.push(l);
        two[l]! += first * second;
      });
    });
    // P³ᵢᵢ = Σ P²ᵢⱼ Pⱼᵢ, and P⁴ᵢᵢ = Σ P²ᵢⱼ P²ⱼᵢ, the latter by the rows that lead to i.
    const [z, p1, p2] = [this.#z, one[i]!, two[i]!];
    let [p3, p4] = [0, 0];
    const leading = (j: number, share: number): void => {
      p3 += two[j]! * share;
      for (const l of from[j]!) if (isIn(l)) p4 += two[l]! * this.#step(l, j) * share;
      p4 += two[j]! * weight[j]![0]! * share;
    };
    for (const j of from[i]!) if (isIn(j)) leading(j, this.#step(j, i));
    leading(i, weight[i]![0]!);
    for (const l of reached) two[l] = 0;
    for (const j of to[i]!) one[j] = 0;
    return Math.log(1 + z * (p1 + z * (p2 + z * (p3 + z * p4))));
  }

  /** P of one step. */
  #step(row: number, step: number): number {
    return this.#walks.weight[row]![this.#walks.to[row]!.indexOf(step)]!;
  }
}

/** Where no two clusters are tied and too many are left, the smallest goes to the one whose mean is nearest. */
function joinedByMeans(names: Int32Array, { data, shape }: Tensor<"float32">, k: number): Int32Array {
  const d = shape[1]!;
  const numbers = new Map([...new Set(names)].map((name, at) => [name, at]));
  const labels = names.map((name) => numbers.get(name)!);
  for (let left = numbers.size; left > k; left--) {
    const { sums, sizes } = sumsByLabel(data, d, labels, numbers.size);
    const means = sums.map((sum, at) => sum / Math.max(1, sizes[Math.floor(at / d)]!));
    const there = [...sizes.keys()].filter((label) => sizes[label]! > 0);
    const smallest = there.reduce((a, b) => (sizes[b]! < sizes[a]! ? b : a));
    const far = (label: number): number => squaredDistance(means, smallest, means, label, d);
    const nearest = there.filter((label) => label !== smallest).reduce((a, b) => (far(b) < far(a) ? b : a));
    for (let row = 0; row < labels.length; row++) if (labels[row] === smallest) labels[row] = nearest;
  }
  return labels;
}
