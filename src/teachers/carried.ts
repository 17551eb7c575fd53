/** A division of a sample, carried to all rows by the nearest of the sample. */

import { NeighbourSearch } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";
import type { Division } from "./partition.ts";

/** So many of its nearest rows speak for a row that was not in the sample. */
const speaking = 10;

/** Rows that are looked for at a time. */
const piece = 2 ** 16;

/**
 * Rows of the sample keep what they have. Of the others each belongs where most of its 10 nearest rows of the sample
 * do, none being a place as any other; of equally many, where the nearest does. Its memberships are their mean. The
 * search may be approximate, as that of a picture: it carries, it does not decide.
 */
export async function carried(
  { labels, memberships }: Division,
  sample: Tensor<"float32">,
  places: Int32Array,
  rows: Tensor<"float32">,
  pace: Pace,
): Promise<Division> {
  const n = rows.shape[0]!;
  const k = memberships?.shape[1] ?? 0;
  const all = new Int32Array(n);
  const means = new Float32Array(n * k);
  const isSeen = new Uint8Array(n);
  places.forEach((row, at) => {
    isSeen[row] = 1;
    all[row] = labels[at]!;
    if (memberships) means.set(memberships.data.subarray(at * k, (at + 1) * k), row * k);
  });
  const search = await NeighbourSearch.among(sample, pace, { approximate: true });
  for (let from = 0; from < n; from += piece) {
    const others = rowsBetween(from, Math.min(n, from + piece)).filter((row) => !isSeen[row]);
    const { rows: nearest, count } = await search.of(takeRows(rows, others), speaking, pace);
    others.forEach((row, at) => {
      const speakers = nearest.subarray(at * count, (at + 1) * count);
      all[row] = mostFrequent(speakers, labels);
      for (let j = 0; j < k; j++) {
        for (const near of speakers) means[row * k + j]! += memberships!.data[near * k + j]! / count;
      }
    });
  }
  return { labels: all, ...(memberships && { memberships: tensor("float32", [n, k], means) }) };
}

function rowsBetween(from: number, to: number): Int32Array {
  return Int32Array.from({ length: to - from }, (_, i) => from + i);
}

/** The label that most of these rows have; of equally frequent ones, that of the nearest. */
export function mostFrequent(nearest: Int32Array, labels: Int32Array): number {
  const counts = new Map<number, number>();
  for (const row of nearest) counts.set(labels[row]!, (counts.get(labels[row]!) ?? 0) + 1);
  let [best, most] = [-1, 0];
  // A Map goes through its keys in the order in which they came, the nearest first.
  for (const [label, count] of counts) if (count > most) [best, most] = [label, count];
  return best;
}
