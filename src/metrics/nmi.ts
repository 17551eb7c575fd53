/**
 * Normalized mutual information: I over a mean of the two entropies (Strehl & Ghosh, "Cluster ensembles", JMLR 3,
 * 2002).
 *
 * Two labelings of a single group agree: 1. If only one of them has a single group, it says nothing about the other: 0.
 */

import { contingency } from "./contingency.ts";
import { entropy, mutualInformation } from "./information.ts";
import type { Labels } from "./labels.ts";

/** NMI = I / (½(H(classes) + H(clusters))), as in TELL and PC-X, and scikit-learn's default; equal to the V-measure. */
export function nmi(truth: Labels, clusters: Labels): number {
  return normalized("nmi", truth, clusters, (h, k) => (h + k) / 2);
}

/** NMI = I / √(H(classes)·H(clusters)), as in k-meansNet and DKM; never less than `nmi`. */
export function nmiGeometric(truth: Labels, clusters: Labels): number {
  return normalized("nmiGeometric", truth, clusters, (h, k) => Math.sqrt(h * k));
}

function normalized(where: string, truth: Labels, clusters: Labels, mean: (h: number, k: number) => number): number {
  const table = contingency(where, truth, clusters);
  if (table.classes.length === 1 && table.clusters.length === 1) return 1;
  const information = mutualInformation(table);
  return information === 0 ? 0 : information / mean(entropy(table.classes, table.n), entropy(table.clusters, table.n));
}
