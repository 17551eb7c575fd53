/** A mixture of normal distributions with a variance of its own for each column and cluster, by EM from given means. */

import { filled, type Tensor, tensor } from "../tensor/tensor.ts";

export interface DiagonalMixture {
  /** [k] */
  readonly weights: Tensor<"float32">;
  /** [k, d] */
  readonly means: Tensor<"float32">;
  readonly variances: Tensor<"float32">;
}

/** Variances are at least this share of the columns' mean variance: a cluster of one row has none. */
const leastShare = 1e-3;

/**
 * E: r = π N(x; μ, σ²) / Σ π N. M: π, μ and σ² are the means that r gives. It ends when the mean log-likelihood gains
 * less than `tolerance`, as in scikit-learn.
 */
export function diagonalMixture(
  rows: Tensor<"float32">,
  means: Tensor<"float32">,
  { iterations = 100, tolerance = 1e-3 } = {},
): DiagonalMixture {
  const [n, d] = rows.shape as [number, number];
  const k = means.shape[0]!;
  const least = Math.max(leastShare * meanVariance(rows), 1e-6);
  let mixture: DiagonalMixture = {
    weights: filled("float32", [k], 1 / k),
    means,
    variances: filled("float32", [k, d], Math.max(meanVariance(rows) / k, least)),
  };
  let before = Number.NEGATIVE_INFINITY;
  for (let iteration = 0; iteration < iterations; iteration++) {
    const { sums, squares, sizes, logLikelihood } = expected(rows, mixture);
    const [weights, next, variances] = [new Float32Array(k), new Float32Array(k * d), new Float32Array(k * d)];
    for (let j = 0; j < k; j++) {
      weights[j] = Math.max(sizes[j]! / n, 1e-6);
      for (let c = 0; c < d; c++) {
        const at = j * d + c;
        // A cluster without rows stays where it is.
        const mean = sizes[j]! > 1e-6 ? sums[at]! / sizes[j]! : mixture.means.data[at]!;
        next[at] = mean;
        variances[at] = sizes[j]! > 1e-6 ? Math.max(squares[at]! / sizes[j]! - mean * mean, least) : least;
      }
    }
    mixture = {
      weights: tensor("float32", [k], weights),
      means: tensor("float32", [k, d], next),
      variances: tensor("float32", [k, d], variances),
    };
    if (logLikelihood - before < tolerance) break;
    before = logLikelihood;
  }
  return mixture;
}

/** What the M-step needs: Σ r, Σ r x and Σ r x² of each cluster. */
function expected({ data: x, shape }: Tensor<"float32">, { weights, means, variances }: DiagonalMixture) {
  const [n, d] = shape as [number, number];
  const k = weights.shape[0]!;
  const [sizes, sums, squares] = [new Float64Array(k), new Float64Array(k * d), new Float64Array(k * d)];
  const constants = Float64Array.from(weights.data, (weight, j) => {
    let logs = d * Math.log(2 * Math.PI);
    for (let c = 0; c < d; c++) logs += Math.log(variances.data[j * d + c]!);
    return Math.log(weight) - logs / 2;
  });
  const logs = new Float64Array(k);
  let logLikelihood = 0;
  for (let i = 0; i < n; i++) {
    let largest = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < k; j++) {
      let distance = 0;
      for (let c = 0; c < d; c++)
        distance += (x[i * d + c]! - means.data[j * d + c]!) ** 2 / variances.data[j * d + c]!;
      logs[j] = constants[j]! - distance / 2;
      if (logs[j]! > largest) largest = logs[j]!;
    }
    let total = 0;
    for (let j = 0; j < k; j++) total += Math.exp(logs[j]! - largest);
    logLikelihood += (largest + Math.log(total)) / n;
    for (let j = 0; j < k; j++) {
      const r = Math.exp(logs[j]! - largest) / total;
      sizes[j]! += r;
      for (let c = 0; c < d; c++) {
        const value = x[i * d + c]!;
        sums[j * d + c]! += r * value;
        squares[j * d + c]! += r * value * value;
      }
    }
  }
  return { sums, squares, sizes, logLikelihood };
}

/** The mean over columns of their variance. */
function meanVariance({ data, shape }: Tensor<"float32">): number {
  const [n, d] = shape as [number, number];
  let total = 0;
  for (let c = 0; c < d; c++) {
    let [sum, squares] = [0, 0];
    for (let at = c; at < data.length; at += d) {
      sum += data[at]!;
      squares += data[at]! ** 2;
    }
    total += (squares / n - (sum / n) ** 2) / d;
  }
  return Math.max(total, 0);
}
