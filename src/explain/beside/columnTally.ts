/** What is counted of one column, cluster by cluster. */

import type { ValueBeside } from "../../data/beside.ts";
import type { Beside } from "../clusters/clusterSummary.ts";

export interface ColumnTally {
  /** Takes a value of a row; words are counted where it is sampled. */
  add(cluster: number, value: ValueBeside, isSampled: boolean): void;
  /**
   * What it says of a cluster, and how much that tells, 0 to 1; nothing where it has nothing to say. `rows` is how many
   * each cluster has.
   */
  of(cluster: number, rows: Float64Array): { readonly says: Beside; readonly tells: number } | undefined;
}
