/**
 * Adjusted mutual information (Vinh, Epps & Bailey, "Information theoretic measures for clusterings comparison", JMLR
 * 11, 2010): what the labelings tell about each other beyond what random labelings with groups of the same sizes would.
 */

import { contingency, sameGroups } from "./contingency.ts";
import { entropy, mutualInformation } from "./information.ts";
import type { Labels } from "./labels.ts";

/** AMI = (I − E[I]) / (½(H(classes) + H(clusters)) − E[I]): 0 by chance, 1 for the same groups. */
export function ami(truth: Labels, clusters: Labels): number {
  const table = contingency("ami", truth, clusters);
  // Also where the formula is 0/0: all rows in one group, or each in its own.
  if (sameGroups(table)) return 1;
  const expected = expectedMutualInformation(table.classes, table.clusters, table.n);
  const mean = (entropy(table.classes, table.n) + entropy(table.clusters, table.n)) / 2;
  return (mutualInformation(table) - expected) / (mean - expected);
}

/**
 * E[I] = Σᵢⱼ Σₘ P(nᵢⱼ = m) · m/n · ln(n·m / (aᵢ·bⱼ)), the mean over all ways to deal the rows to groups of these sizes.
 *
 * Every pair (i, j) of the same two sizes adds the same, and n rows make at most √(2n) different sizes: so the work
 * depends on the number of rows, not on the number of clusters.
 */
export function expectedMutualInformation(classes: readonly number[], clusters: readonly number[], n: number): number {
  const countsOfB = countEach(clusters);
  let expected = 0;
  for (const [a, countOfA] of countEach(classes)) {
    for (const [b, countOfB] of countsOfB) expected += countOfA * countOfB * expectedOfCell(a, b, n);
  }
  return expected;
}

/**
 * Σₘ P(m) · m/n · ln(n·m / (a·b)), with m hypergeometric: of b rows drawn from n, those among a marked ones.
 *
 * The probabilities come from their ratio, so that neither factorials nor their logarithms are needed,
 *
 *   P(m + 1) / P(m) = (a − m)(b − m) / ((m + 1)(n − a − b + m + 1)),
 *
 * outwards from the most probable m, where the weight is set to 1, until a weight no longer counts; P is a weight's
 * share.
 */
function expectedOfCell(a: number, b: number, n: number): number {
  const ratio = (m: number): number => ((a - m) * (b - m)) / ((m + 1) * (n - a - b + m + 1));
  const information = (m: number): number => (m === 0 ? 0 : (m / n) * Math.log((n * m) / (a * b)));
  const negligible = 1e-30;
  const [least, most] = [Math.max(0, a + b - n), Math.min(a, b)];
  const mode = Math.min(most, Math.floor(((a + 1) * (b + 1)) / (n + 2)));
  let weights = 1;
  let sum = information(mode);
  for (let m = mode + 1, weight = 1; m <= most && weight > negligible; m++) {
    weight *= ratio(m - 1);
    weights += weight;
    sum += weight * information(m);
  }
  for (let m = mode - 1, weight = 1; m >= least && weight > negligible; m--) {
    weight /= ratio(m);
    weights += weight;
    sum += weight * information(m);
  }
  return sum / weights;
}

/** Each size that occurs, with how often. */
function countEach(sizes: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  return counts;
}
