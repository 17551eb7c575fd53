/**
 * Landmark-based spectral clustering: rows are tied to a few landmarks instead of to each other, so that it takes any
 * number of them. LSC-R draws the landmarks, LSC-K takes them from k-means.
 * Chen & Cai, 2011.
 *
 *   p, r  landmarks, and how many of them a row is tied to      σ  mean distance of a row from these
 *   Z     [n, p]: exp(−‖xᵢ − uⱼ‖²/2σ²) for the r nearest, rows that sum to 1
 *   Ẑ     ZD^−½, D the column sums of Z: ẐẐᵀ is the affinity of the rows
 */

import { unitTensor } from "../../numerics/kmeans.ts";
import { leadingEigen, type Times } from "../../numerics/leadingEigen.ts";
import type { Neighbours } from "../../numerics/neighbours/neighbours.ts";
import type { Pace } from "../../numerics/pace.ts";
import { pacedKMeans } from "../../numerics/pacedKMeans.ts";
import { sumsByLabel } from "../../numerics/sumsByLabel.ts";
import { whole } from "../../options.ts";
import { float32Of, type Tensor, takeRows, tensor } from "../../tensor/tensor.ts";
import { type Teacher, teacher, type Work } from "../teacher.ts";
import { nearestOf, standing } from "./nearest.ts";
import { gaussian } from "./njw.ts";

const options = {
  landmarks: whole("p, how many landmarks.", 1000, { from: 2, to: 10_000 }),
  nearest: whole("r, how many landmarks a row is tied to.", 5, { from: 1, to: 100 }),
} as const;

type Landmarks = (x: Tensor<"float32">, p: number, work: Work<typeof options>) => Promise<Tensor<"float32">>;

function landmarkBased(name: string, from: string, landmarks: Landmarks): Teacher {
  return teacher({
    name,
    about: `Clusters of any form among many rows: spectral clustering by ties to landmarks that are ${from}.`,
    paper: "Chen & Cai, Large scale spectral clustering with landmark-based representation, AAAI 25, 2011",
    clusters: "told",
    most: 500_000,
    options,
    async divide(rows, work) {
      const { clusters: k, random, pace, multiply, options } = work;
      const x = standing(rows);
      const p = Math.min(options.landmarks, x.shape[0]!);
      const u = await landmarks(x, p, work);
      const z = tiesOf(await nearestOf(x, u, options.nearest, multiply, pace), p);
      const { vectors, values } = await rightVectors(z, k, work);
      const left = await leftVectors(z, vectors, values, pace);
      return pacedKMeans(unitTensor(left), k, { random, pace });
    },
  });
}

/** Rows at random. */
const drawn: Landmarks = async (x, p, { random }) => takeRows(x, random.permutation(x.shape[0]!).subarray(0, p).sort());

/** Five rounds of k-means from rows at random. */
const ofMeans: Landmarks = async (x, p, work) => {
  const d = x.shape[1]!;
  let centers = await drawn(x, p, work);
  for (let round = 0; round < 5; round++) {
    const { rows: labels } = await nearestOf(x, centers, 1, work.multiply, work.pace);
    const { sums, sizes } = sumsByLabel(x.data, d, labels, p);
    const means = sums.map((sum, at) => {
      const size = sizes[Math.floor(at / d)]!;
      return size > 0 ? sum / size : centers.data[at]!;
    });
    centers = tensor("float32", [p, d], float32Of(means));
  }
  return centers;
};

export const lscR = landmarkBased("lsc-r", "rows drawn at random", drawn);
export const lscK = landmarkBased("lsc-k", "means of k-means", ofMeans);

/** Ẑ, its r numbers of each row at the landmarks that they belong to. */
interface Ties {
  readonly p: number;
  readonly count: number;
  readonly landmarks: Int32Array;
  readonly weights: Float64Array;
  /** √D. */
  readonly rootSums: Float64Array;
}

/** Z, and Ẑ = ZD^−½. */
export function tiesOf({ count, rows, distances }: Neighbours, p: number): Ties {
  const sigma = distances.reduce((sum, far) => sum + far, 0) / distances.length || 1;
  const weights = distances.map((far) => gaussian(far * far, sigma));
  const sums = new Float64Array(p);
  for (let at = 0; at < weights.length; at += count) {
    let total = 0;
    for (let c = at; c < at + count; c++) total += weights[c]!;
    for (let c = at; c < at + count; c++) {
      // Where all landmarks are too far for a number, all are alike.
      weights[c] = total > 0 ? weights[c]! / total : 1 / count;
      sums[rows[c]!]! += weights[c]!;
    }
  }
  const rootSums = sums.map(Math.sqrt);
  return { p, count, landmarks: rows, weights: weights.map((value, at) => value / rootSums[rows[at]!]!), rootSums };
}

/**
 * The first k eigenvectors of ẐᵀẐ after the one that all rows share, which is √D with the eigenvalue 1: it is taken
 * out before they are looked for.
 */
async function rightVectors(z: Ties, k: number, { random, pace }: Pick<Work, "random" | "pace">) {
  const { p, rootSums } = z;
  const length = Math.sqrt(rootSums.reduce((sum, root) => sum + root * root, 0));
  const shared = rootSums.map((root) => root / length);
  const gram = await gramOf(z, pace);
  const without = (x: Float64Array): Float64Array => {
    const part = x.reduce((sum, value, j) => sum + value * shared[j]!, 0);
    return x.map((value, j) => value - part * shared[j]!);
  };
  const times: Times = (x, y) => {
    const rest = without(x);
    for (let i = 0; i < p; i++) {
      let sum = 0;
      for (let j = 0, at = i * p; j < p; j++, at++) sum += gram[at]! * rest[j]!;
      y[i] = sum;
    }
    y.set(without(y));
  };
  return leadingEigen(times, p, Math.min(k, p - 1), { from: 0, to: 1, random, pace });
}

/** ẐᵀẐ, [p, p]. */
async function gramOf({ p, count, landmarks, weights }: Ties, pace: Pace): Promise<Float64Array> {
  const gram = new Float64Array(p * p);
  for (let at = 0; at < weights.length; at += count) {
    if (at % (count * 4096) === 0) await pace();
    for (let a = at; a < at + count; a++) {
      for (let b = at; b < at + count; b++) gram[landmarks[a]! * p + landmarks[b]!]! += weights[a]! * weights[b]!;
    }
  }
  return gram;
}

/** ẐVΣ⁻¹, [n, k]: one row for each row. */
async function leftVectors(
  { p, count, landmarks, weights }: Ties,
  vectors: Float64Array,
  values: Float64Array,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const [n, k] = [weights.length / count, values.length];
  const out = new Float32Array(n * k);
  for (let i = 0; i < n; i++) {
    if (i % 4096 === 0) await pace();
    for (let j = 0; j < k; j++) {
      let sum = 0;
      for (let at = i * count; at < (i + 1) * count; at++) sum += weights[at]! * vectors[j * p + landmarks[at]!]!;
      out[i * k + j] = values[j]! > 1e-12 ? sum / Math.sqrt(values[j]!) : 0;
    }
  }
  return tensor("float32", [n, k], out);
}
