/** Why a row is where it is, as plain data. */

import type { ValueBeside } from "../../data/beside.ts";
import type { Beside, Placement, ShownRow } from "../clusters/clusterSummary.ts";
import type { Attention } from "./attention.ts";

/** What one number of the code, or something else such as a bias, adds to the margin. */
export interface LatentPart {
  readonly name: string;
  readonly part: number;
  /** The number itself, and what it is at the two centers; not for parts beyond the code. */
  readonly code?: number;
  readonly own?: number;
  readonly other?: number;
}

/** What one column of the row adds to the margin, on the way from the other cluster's exemplar. */
export interface FeaturePart {
  /** Where its first number is in the row. */
  readonly feature: number;
  readonly name: string;
  /** In the row, and in the exemplar of the other cluster. */
  readonly value: number;
  readonly exemplar: number;
  /** The same in words, where numbers would not say it: "female", "mostly male, 81 %". */
  readonly said?: readonly [value: string, exemplar: string];
  /** Of all numbers of the column together. */
  readonly part: number;
  /** Where the row has no such value, and the column's mean stands for it. */
  readonly filled?: true;
}

/** start + Σ parts + remainder = margin. */
export interface InputPart {
  /** The margin that the exemplar of the other cluster has: below 0 where it is a good one. */
  readonly start: number;
  /** One for each number of the row, in the row's order; of a picture they are one. */
  readonly parts: readonly number[];
  /** The row's shape: [columns], or [channels, height, width]. */
  readonly shape: readonly number[];
  /** The same by column, the largest first; none for pictures. */
  readonly features: readonly FeaturePart[];
  readonly remainder: number;
  /** At how many points the network was asked. */
  readonly evaluations: number;
  /** False where the remainder is larger than 1 % of the margin after all evaluations that were allowed. */
  readonly complete: boolean;
  /** The row it began from, and where that came from. */
  readonly exemplar: readonly number[];
  readonly exemplarFrom: "decoder" | "nearest row" | "caller";
}

/** A typical row, and how far its code is from the row's, as the crow flies. */
export interface NearRow extends Pick<ShownRow, "row" | "id" | "text" | "cluster"> {
  readonly apart: number;
}

export interface Why {
  readonly own: number;
  readonly other: number;
  /** d_other − d_own. */
  readonly margin: number;
  /** They add up to the margin. */
  readonly latent: readonly LatentPart[];
  readonly input: InputPart;
  /** Of the typical rows of both clusters the nearest; empty without summaries. */
  readonly near: { readonly own: readonly NearRow[]; readonly other: readonly NearRow[] };
}

export interface Explanation {
  /** `outlier` where summaries are given: it needs to know the other rows. */
  readonly placement: Omit<Placement, "row" | "outlier"> & { readonly outlier?: number };
  /** Missing where there is only one cluster. */
  readonly why?: Why;
  /** How much it attends to each cluster, where the method's loss says so (TELL). */
  readonly attention?: Attention;
  /** The same in a sentence or two. */
  readonly words: string;
  /** What columns say that were not used to cluster. */
  readonly beside?: readonly RowBeside[];
}

/** What a row has in a column that was not used to cluster, if anything, and what the column says of its cluster. */
export interface RowBeside {
  readonly column: string;
  /** A date is a text: 2024-02-29. */
  readonly value?: ValueBeside;
  readonly cluster: Beside;
}
