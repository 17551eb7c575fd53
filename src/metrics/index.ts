/** The scores of a clustering, by name. */

import { accuracy } from "./accuracy.ts";
import { ami } from "./ami.ts";
import { ari } from "./ari.ts";
import { calinskiHarabasz } from "./calinskiHarabasz.ts";
import { daviesBouldin } from "./daviesBouldin.ts";
import { completeness, homogeneity, vMeasure } from "./homogeneity.ts";
import type { Labels } from "./labels.ts";
import { nmi, nmiGeometric } from "./nmi.ts";
import { pairPrecision } from "./pairPrecision.ts";
import { purity } from "./purity.ts";
import type { Rows } from "./rows.ts";
import { silhouette } from "./silhouette.ts";

/** A score that compares clusters with the truth. */
export interface Metric {
  readonly score: (truth: Labels, clusters: Labels) => number;
  /** What it tells, in one sentence. */
  readonly description: string;
  readonly largerIsBetter: boolean;
}

/** A score that looks at the rows themselves and needs no truth. */
export interface InnerMetric {
  readonly score: (rows: Rows, clusters: Labels) => number;
  readonly description: string;
  readonly largerIsBetter: boolean;
}

/** Every score that compares clusters with the truth, in its natural units: at most 1, which is perfect. */
export const metrics = {
  accuracy: {
    score: accuracy,
    description: "The share of rows that are right when classes and clusters are matched as well as possible.",
    largerIsBetter: true,
  },
  nmi: {
    score: nmi,
    description: "What classes and clusters tell about each other, over the arithmetic mean of their entropies.",
    largerIsBetter: true,
  },
  nmiGeometric: {
    score: nmiGeometric,
    description: "What classes and clusters tell about each other, over the geometric mean of their entropies.",
    largerIsBetter: true,
  },
  ari: {
    score: ari,
    description: "How many pairs of rows are together in both class and cluster; 0 is chance.",
    largerIsBetter: true,
  },
  ami: {
    score: ami,
    description: "What classes and clusters tell about each other beyond chance, which is 0.",
    largerIsBetter: true,
  },
  homogeneity: {
    score: homogeneity,
    description: "How much of the classes the clusters tell: 1 if no cluster mixes classes.",
    largerIsBetter: true,
  },
  completeness: {
    score: completeness,
    description: "How much of the clusters the classes tell: 1 if no class is split among clusters.",
    largerIsBetter: true,
  },
  vMeasure: {
    score: vMeasure,
    description: "The harmonic mean of homogeneity and completeness.",
    largerIsBetter: true,
  },
  purity: {
    score: purity,
    description: "The share of rows that are in the most frequent class of their cluster.",
    largerIsBetter: true,
  },
  pairPrecision: {
    score: pairPrecision,
    description: "Of the pairs of rows that share a cluster, the share that also share a class.",
    largerIsBetter: true,
  },
} satisfies Record<string, Metric>;

/** Every score that needs no truth. */
export const innerMetrics = {
  silhouette: {
    score: silhouette,
    description: "How much nearer rows are to their own cluster than to the next, from −1 to 1.",
    largerIsBetter: true,
  },
  calinskiHarabasz: {
    score: calinskiHarabasz,
    description: "The variance between the clusters over the variance within them.",
    largerIsBetter: true,
  },
  daviesBouldin: {
    score: daviesBouldin,
    description: "How wide clusters are for how far apart they lie, each with the neighbor it overlaps most.",
    largerIsBetter: false,
  },
} satisfies Record<string, InnerMetric>;

export type MetricName = keyof typeof metrics;
export type InnerMetricName = keyof typeof innerMetrics;
