/**
 * Consensus: several partitions of the same rows, and for each row what most of them say.
 * By alignment and plurality, after Dudoit & Fridlyand, 2003.
 *
 * 1. Two partitions are aligned by the renaming of clusters with which most rows have the same name (least cost).
 * 2. The reference is the one that the others, aligned to it, agree with on most rows; of equals, the first.
 * 3. All are renamed after the reference, and each row has the name that most give it; of equals, the reference's. None
 *    is a name as any other; a cluster that has no counterpart in the reference has no voice.
 */

import { leastCostAssignment } from "../numerics/leastCostAssignment.ts";
import { tensor } from "../tensor/tensor.ts";
import { kmeans } from "./kmeans.ts";
import { manifold } from "./manifold.ts";
import { mixture } from "./mixture.ts";
import { type Division, type Partition, partitionOf } from "./partition.ts";
import { spectral } from "./spectral.ts";
import { type Teacher, teacher } from "./teacher.ts";

/** What is renamed to this has no voice. */
const silent = -2;

/** What several partitions of the same rows have in common; memberships are the shares of those that say so. */
export function consensusOf(partitions: readonly Partition[]): Partition {
  const n = partitions[0]?.labels.length;
  if (n === undefined) throw new RangeError("consensus: there must be a partition at least, got none");
  const different = partitions.find(({ labels }) => labels.length !== n);
  if (different)
    throw new RangeError(`consensus: partitions must be of the same rows, got ${n} and ${different.labels.length}`);

  const reference = mostAgreed(partitions);
  const k = reference.clusters;
  const renamed = partitions.map((partition) => aligned(partition, reference));
  const labels = new Int32Array(n);
  const shares = new Float32Array(n * k);
  const counts = new Int32Array(k + 1);
  for (let i = 0; i < n; i++) {
    // Names from −1 to k − 1 are counted from 0 to k.
    counts.fill(0);
    for (const names of renamed) if (names[i] !== silent) counts[names[i]! + 1]!++;
    let best = reference.labels[i]! + 1;
    for (let at = 0; at <= k; at++) if (counts[at]! > counts[best]!) best = at;
    labels[i] = best - 1;
    for (let j = 0; j < k; j++) shares[i * k + j] = counts[j + 1]!;
  }
  return partitionOf({ labels, memberships: tensor("float32", [n, k], shares) });
}

/** The partition that all the others, aligned to it, agree with on most rows. */
function mostAgreed(partitions: readonly Partition[]): Partition {
  const agreement = partitions.map((reference) =>
    partitions.reduce((sum, other) => sum + agreeing(aligned(other, reference), reference.labels), 0),
  );
  return partitions[agreement.indexOf(Math.max(...agreement))]!;
}

function agreeing(a: Int32Array, b: Int32Array): number {
  let same = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) same++;
  return same;
}

/** The labels of a partition in the names of another: most rows then have the same name in both. */
export function aligned({ labels, clusters }: Partition, reference: Partition): Int32Array {
  const k = reference.clusters;
  const costs = new Float64Array(clusters * k);
  labels.forEach((label, i) => {
    if (label >= 0 && reference.labels[i]! >= 0) costs[label * k + reference.labels[i]!]!--;
  });
  const names = leastCostAssignment(costs, clusters, k);
  return labels.map((label) => (label < 0 ? -1 : names[label]! < 0 ? silent : names[label]!));
}

/** A teacher that asks others and says what they have in common. */
export function consensusWith(name: string, members: readonly Teacher[]): Teacher {
  return teacher({
    name,
    about: `What most of ${members.map((member) => member.name).join(", ")} say, where no single one is to be trusted.`,
    paper: "Dudoit & Fridlyand, Bagging to improve the accuracy of a clustering procedure, Bioinformatics 19, 2003",
    clusters: "told",
    most: 50_000,
    async divide(rows, lesson): Promise<Division> {
      const partitions: Partition[] = [];
      for (const member of members) partitions.push(await member.teach(rows, lesson));
      return consensusOf(partitions);
    },
  });
}

export const consensus = consensusWith("consensus", [kmeans, mixture, manifold, spectral]);
