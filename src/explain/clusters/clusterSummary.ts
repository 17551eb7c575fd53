/**
 * What is said about clusters and rows, as plain data: the same for the report, the command line and whoever asks from
 * code.
 */

import type { TellingWord } from "../beside/wordTally.ts";
import type { Attention } from "../rows/attention.ts";

/** How a row is placed: each number is defined once, for all methods (docs/explanations.md). */
export interface Placement {
  /** Where the row is in the data. */
  readonly row: number;
  readonly cluster: number;
  /** The probability of its cluster, 0 to 1. */
  readonly confidence: number;
  /** The next nearest cluster; the own one where there is only one. */
  readonly second: number;
  /** How much farther the second is than the own one, in the method's distance; never negative. */
  readonly margin: number;
  /** To the own center, in the method's distance. */
  readonly distance: number;
  /**
   * Up to 1, the share of the cluster's rows that are less far out; above, how many times as far out it is as the
   * farthest of them, up to a million.
   */
  readonly outlier: number;
}

/** How far a row is from its cluster, in three ways (docs/explanations.md). */
export interface Far {
  /** To the own center, in the method's distance. */
  readonly distance: number;
  /** From the exemplar of its cluster, and from what the decoder makes of its code: root mean squares. */
  readonly apart?: number;
  readonly error?: number;
}

/** What 95 % of a cluster's rows do not exceed, and how far out by that 0 %, 1 %, … 100 % of them are. */
export interface FarLimits extends Far {
  readonly reach: readonly number[];
}

/** A column, compared between two groups of rows. */
export interface Difference {
  /** The place of its number in a row (of a category, of the value that tells most), and its name where it has one. */
  readonly feature: number;
  readonly name: string;
  /** The means of the cluster and of those it is compared with, in the data's own units. */
  readonly here: number;
  readonly there: number;
  /**
   * (here − there) in standard deviations of the feature over all rows; of several numbers, of all of them together,
   * and never below 0.
   */
  readonly effect: number;
  /** Here and there in words, where numbers would not say it: "mostly female, 72 %". */
  readonly said?: readonly [here: string, there: string];
}

/** Rows with their numbers, for showing. */
export interface ShownRow extends Placement {
  /** What the row is called where it comes from. */
  readonly id?: string;
  /** How its text begins, where a column of texts is beside. */
  readonly text?: string;
  /** The row itself, flattened. */
  readonly values: readonly number[];
  /** The places of values that the file does not have, and the column's mean stands for. */
  readonly filled?: readonly number[];
  /** How much it attends to each cluster, where the method's loss says so; of the first row of each kind. */
  readonly attention?: Attention;
}

/**
 * What a column says of a cluster that was not made of it: `here` of its rows, `there` of all others; no `there` where
 * there are none.
 */
export type Beside =
  /** Means, and (here − there) in standard deviations over all rows. */
  | NumberBeside
  /** The first and the last date, means as `here` and `there`: 2024-02-29. */
  | (Omit<NumberBeside, "kind" | "here" | "there"> & {
      readonly kind: "date";
      readonly from: string;
      readonly to: string;
      readonly here: string;
      readonly there?: string;
    })
  /** The shares of its values, the largest first. */
  | {
      readonly kind: "category";
      readonly column: string;
      readonly values: readonly { readonly value: string; readonly here: number; readonly there?: number }[];
    }
  /** The words that tell most, with the shares of texts that have them. */
  | { readonly kind: "words"; readonly column: string; readonly words: readonly TellingWord[] };

interface NumberBeside {
  readonly kind: "number";
  readonly column: string;
  readonly here: number;
  readonly there?: number;
  readonly effect?: number;
}

export interface ClusterSummary {
  readonly cluster: number;
  /** Made of what distinguishes it, such as "high price, low weight"; "cluster 3" where nothing has a name. */
  readonly name: string;
  /** The column that its name is from, where that was not used to cluster. */
  readonly namedBy?: string;
  /** The column that the texts of its rows are from, where they have some. */
  readonly textFrom?: string;
  readonly size: number;
  /** Of all rows, 0 to 1. */
  readonly share: number;
  /** What the cluster is: its center as a row, in the data's own units. */
  readonly exemplar: readonly number[];
  /** Who drew it: the decoder, or, where training left the decoder behind, the row nearest to the center. */
  readonly exemplarFrom: "decoder" | "nearest row";
  /** The mean of its rows, and their standard deviations; empty where it has none. */
  readonly mean: readonly number[];
  readonly deviation?: readonly number[];
  /** Nearest to the center, and with the smallest margins. */
  readonly typical: readonly ShownRow[];
  readonly borderline: readonly ShownRow[];
  /** Against all other rows, and against the rows of the nearest other cluster; the largest effects first. */
  readonly distinguishing: readonly Difference[];
  readonly nearest?: {
    readonly cluster: number;
    readonly distance: number;
    readonly differences: readonly Difference[];
  };
  /** Which clusters its rows would go to next, by share of its rows, the largest first. */
  readonly neighbours: readonly { readonly cluster: number; readonly share: number }[];
  /** Of its rows: the mean, and counts in ten equal steps from 0 to 1. */
  readonly confidence: { readonly mean: number; readonly histogram: readonly number[] };
  /** Distances to the center below which 0 %, 1 %, … 100 % of its rows are. */
  readonly reach: readonly number[];
  /** What `outlier` is read from; runs of before have none, and read it from `reach`. */
  readonly far?: FarLimits;
  /** What columns say of it that were not used to cluster: words first, then what tells most. */
  readonly beside?: readonly Beside[];
}
