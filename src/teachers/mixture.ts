/**
 * A mixture of normal distributions, by expectation and maximization (their formulas: numerics/normalMixture.ts).
 * Dempster, Laird & Rubin, 1977; the ridge and the rule to stop are scikit-learn's.
 *
 *   r  how much of row i each component has, [n, k], rows that sum to 1
 *   ℓ  mean log-likelihood of a row
 *   ε  ridge: 1e-6 of the mean variance of a column
 */

import { Moments } from "../numerics/moments.ts";
import { expectation, type Mixture, maximization, oneHot } from "../numerics/normalMixture.ts";
import type { Pace } from "../numerics/pace.ts";
import { pacedKMeans } from "../numerics/pacedKMeans.ts";
import { principalAxes, projected } from "../numerics/principalAxes.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";
import { thousands } from "../text/thousands.ts";
import { type Division, partitionOf } from "./partition.ts";
import { spectral } from "./spectral.ts";
import { teacher } from "./teacher.ts";

/** It ends where ℓ grows by less than this, and after so many iterations. */
const ending = { growth: 1e-3, iterations: 100 };

/** What it learns from: at most so many rows, and so many multiplications in an iteration; all rows are asked once. */
const part = { rows: 10_000, multiplications: 2 ** 27 };

export const mixture = teacher({
  name: "mixture",
  about: "Long, thin and unequally wide clusters: normal distributions, each with a covariance of its own.",
  paper: "Dempster, Laird & Rubin, Maximum likelihood from incomplete data via the EM algorithm, JRSS B 39, 1977",
  clusters: "told",
  most: 500_000,
  divide: (rows, { clusters, random, pace }) => mixtureDivision(rows, clusters, random, pace),
});

export async function mixtureDivision(
  rows: Tensor<"float32">,
  k: number,
  random: Random,
  pace: Pace,
): Promise<Division> {
  const [n, d] = rows.shape as [number, number];
  const affordable = Math.min(n, part.rows, Math.floor(part.multiplications / (k * d * d)));
  // A covariance has d columns: with fewer than two rows for each of them in a cluster it is mostly chance, and only
  // its diagonal is taken.
  const least = 2 * d * k;
  const isFull = affordable >= least;
  const learned = isFull ? affordable : Math.min(n, part.rows);
  const some = n > learned ? takeRows(rows, random.permutation(n).subarray(0, learned)) : rows;
  // Where all that is learned from is equal, any width will do, and none will not.
  const ridge = 1e-6 * momentsOf(some).variance || 1e-6;
  const start = await bestStart(some, await startsOf(some, k, isFull, random, pace), isFull, ridge, random, pace);
  const mixture = await fitted(some, start, isFull, ridge, pace);
  const { r } = await expectation(rows, mixture, pace);
  const note = `covariances are diagonal: full ones of ${thousands(d)} columns want ${thousands(least)} rows, and ${thousands(affordable)} can be learned from`;
  return { ...divisionOf(r, mixture.logWeights.length), ...(!isFull && { notes: [note] }) };
}

/**
 * Where it begins, three times: k-means of the rows; k-means of the rows turned and scaled so that their covariance is
 * 1, for a mixture itself does not see such a difference; and the spectral partition, for clusters of any form.
 */
async function startsOf(
  rows: Tensor<"float32">,
  clusters: number,
  isFull: boolean,
  random: Random,
  pace: Pace,
): Promise<Int32Array[]> {
  const byKMeans = await pacedKMeans(rows, clusters, { random, pace });
  const byWhitened = await pacedKMeans(await whitened(rows, isFull, pace), clusters, { random, pace });
  const bySpectral = await spectral.teach(rows, { clusters, random, pace });
  return [byKMeans.labels, byWhitened.labels, bySpectral.labels];
}

/** Along the principal axes, or the columns where Σ is diagonal, each with a deviation of 1, or of 0 as it was. */
async function whitened(rows: Tensor<"float32">, isFull: boolean, pace: Pace): Promise<Tensor<"float32">> {
  const d = rows.shape[1]!;
  const turned = isFull ? await projected(rows, await principalAxes(rows, d, pace), pace) : rows;
  const { mean, deviation } = momentsOf(turned);
  const data = turned.data.map((value, at) =>
    deviation[at % d]! > 0 ? (value - mean[at % d]!) / deviation[at % d]! : 0,
  );
  return tensor("float32", turned.shape, data);
}

/**
 * The start from which rows that were not learned from, a fifth of all, are most likely: those that were learned from
 * can be made as likely as one likes, by a component that is thin in some column. Of almost equals, the first.
 */
async function bestStart(
  rows: Tensor<"float32">,
  starts: readonly Int32Array[],
  isFull: boolean,
  ridge: number,
  random: Random,
  pace: Pace,
): Promise<Int32Array> {
  const order = random.permutation(rows.shape[0]!);
  const others = order.subarray(0, Math.ceil(order.length / 5)).sort();
  const learned = order.subarray(others.length).sort();
  let [best, most] = [starts[0]!, Number.NEGATIVE_INFINITY];
  for (const start of starts) {
    const labels = learned.map((row) => start[row]!);
    const mixture = await fitted(takeRows(rows, learned), labels, isFull, ridge, pace);
    const { logLikelihood } = await expectation(takeRows(rows, others), mixture, pace);
    if (logLikelihood > most + ending.growth) [best, most] = [start, logLikelihood];
  }
  return best;
}

/** Maximization and expectation in turn, from rows that belong to one component each. */
async function fitted(
  rows: Tensor<"float32">,
  start: Int32Array,
  isFull: boolean,
  ridge: number,
  pace: Pace,
): Promise<Mixture> {
  const { labels, clusters: k } = partitionOf({ labels: start });
  let r = oneHot(labels, k);
  let before = Number.NEGATIVE_INFINITY;
  for (let iteration = 1; ; iteration++) {
    const mixture = await maximization(rows, r, k, isFull, ridge, pace);
    const { r: next, logLikelihood } = await expectation(rows, mixture, pace);
    if (logLikelihood - before < ending.growth || iteration === ending.iterations) return mixture;
    [r, before] = [next, logLikelihood];
  }
}

/** Each row to the component that has most of it. */
function divisionOf(r: Float64Array, k: number): Division {
  const n = r.length / k;
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 1; j < k; j++) if (r[i * k + j]! > r[i * k + labels[i]!]!) labels[i] = j;
  }
  return { labels, memberships: tensor("float32", [n, k], Float32Array.from(r)) };
}

function momentsOf({
  data,
  shape,
}: Tensor<"float32">): Pick<Moments, "mean"> & { deviation: Float64Array; variance: number } {
  const [n, d] = shape as [number, number];
  const moments = new Moments(d);
  for (let i = 0; i < n; i++) moments.add(data, i * d);
  const variance = moments.squares.reduce((sum, squares) => sum + squares / n / d, 0);
  return { mean: moments.mean, deviation: moments.deviation(), variance };
}
