/**
 * Homogeneity, completeness and their harmonic mean (Rosenberg & Hirschberg, "V-Measure: a conditional entropy-based
 * external cluster evaluation measure", EMNLP 2007).
 */

import { type Contingency, contingency } from "./contingency.ts";
import { entropy, mutualInformation } from "./information.ts";
import type { Labels } from "./labels.ts";

/** h = I / H(classes): 1 if every cluster has rows of a single class. With a single class, it is 1. */
export function homogeneity(truth: Labels, clusters: Labels): number {
  const table = contingency("homogeneity", truth, clusters);
  return shareTold(table, table.classes);
}

/** c = I / H(clusters): 1 if every class is in a single cluster. With a single cluster, it is 1. */
export function completeness(truth: Labels, clusters: Labels): number {
  const table = contingency("completeness", truth, clusters);
  return shareTold(table, table.clusters);
}

/** V = 2·h·c / (h + c), and 0 where both are 0. */
export function vMeasure(truth: Labels, clusters: Labels): number {
  const table = contingency("vMeasure", truth, clusters);
  const h = shareTold(table, table.classes);
  const c = shareTold(table, table.clusters);
  return h + c === 0 ? 0 : (2 * h * c) / (h + c);
}

/** I / H of one of the labelings: how much of what there is to know about it the other one tells. */
function shareTold(table: Contingency, sizes: readonly number[]): number {
  return sizes.length === 1 ? 1 : mutualInformation(table) / entropy(sizes, table.n);
}
