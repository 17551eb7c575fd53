/** The sums of the rows that share a label, of which means are made. */

import type { Numbers } from "./distances.ts";

export interface LabelSums {
  /** [k, d]. */
  readonly sums: Float64Array;
  /** How many rows have each label. */
  readonly sizes: Int32Array;
}

/** Over rows [n, d] with labels from 0 to k − 1, in the order of the rows. */
export function sumsByLabel(rows: Numbers, d: number, labels: Int32Array, k: number): LabelSums {
  const sums = new Float64Array(k * d);
  const sizes = new Int32Array(k);
  for (let i = 0; i < labels.length; i++) {
    const at = labels[i]! * d;
    sizes[labels[i]!]!++;
    for (let c = 0; c < d; c++) sums[at + c]! += rows[i * d + c]!;
  }
  return { sums, sizes };
}
