/** Rows in clusters: what a teacher answers. */

import { type Tensor, tensor } from "../tensor/tensor.ts";

export interface Partition {
  /**
   * The cluster of each row, or −1 where it belongs to none. Clusters are numbered by their first rows: that of the
   * first row that has one is 0, that of the first row beside it 1.
   */
  readonly labels: Int32Array;
  /** How many clusters there are: each has a row. */
  readonly clusters: number;
  /** Where the teacher says how sure it is: how much each row belongs to each cluster, [n, clusters], Σ over each 1. */
  readonly memberships?: Tensor<"float32">;
  /** What a reader of it has to know, in sentences: that only a sample was seen, say. */
  readonly notes?: readonly string[];
}

/** What a teacher's own algorithm says: names of clusters, any whole numbers from 0, and −1 for none. */
export interface Division {
  readonly labels: Int32Array;
  /** [n, names]. */
  readonly memberships?: Tensor<"float32">;
  readonly notes?: readonly string[];
}

/** A division with its clusters numbered by their first rows, and without those that nobody belongs to. */
export function partitionOf({ labels, memberships, notes }: Division): Partition {
  const numbers = new Map<number, number>();
  const numbered = labels.map((name) => {
    if (name < 0) return -1;
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  });
  const clusters = numbers.size;
  const kept = memberships && membershipsIn(memberships, [...numbers.keys()]);
  return { labels: numbered, clusters, ...(kept && { memberships: kept }), ...(notes && { notes }) };
}

/** The columns of these names, in their order, with rows that sum to 1 again. */
function membershipsIn({ data, shape }: Tensor<"float32">, names: number[]): Tensor<"float32"> {
  const [n, all] = shape as [number, number];
  const k = names.length;
  const out = new Float32Array(n * k);
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (const name of names) total += data[i * all + name]!;
    for (let j = 0; j < k; j++) out[i * k + j] = total > 0 ? data[i * all + names[j]!]! / total : 1 / k;
  }
  return tensor("float32", [n, k], out);
}
