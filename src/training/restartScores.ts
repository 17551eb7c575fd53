/** Scores that need no labels, by which one of several restarts is kept. */

import { divergence } from "../metrics/divergence.ts";
import { silhouette } from "../metrics/silhouette.ts";
import type { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { SharedOptions } from "./sharedOptions.ts";

/** What is known about a finished restart. */
export interface Finished {
  /** The method's loss over all rows, in the last epoch. */
  readonly loss: number;
  /** A sample of the codes, [m, latent], and their clusters. */
  readonly codes: Tensor<"float32">;
  readonly labels: Int32Array;
  readonly centers: Tensor<"float32">;
}

type Keeper = SharedOptions["keep"];
/** A finished restart in numbers that need no labels. */
export type Measures = Readonly<Record<Keeper, number>>;

interface Measure {
  of(finished: Finished, random: Random): number;
  readonly largerIsBetter: boolean;
}

const measures: Readonly<Record<Keeper, Measure>> = {
  loss: { of: ({ loss }) => loss, largerIsBetter: false },
  silhouette: { of: silhouetteOf, largerIsBetter: true },
  divergence: { of: ({ codes, centers }) => divergence(codes, centers), largerIsBetter: false },
};

export function measure(finished: Finished, random: Random): Measures {
  const found = Object.entries(measures).map(([name, { of }]) => [name, of(finished, random)]);
  return Object.fromEntries(found) as Measures;
}

/** Whether one restart is to be kept instead of another. */
export function isBetter(one: Measures, other: Measures, by: Keeper): boolean {
  return measures[by].largerIsBetter ? one[by] > other[by] : one[by] < other[by];
}

function silhouetteOf({ codes, labels }: Finished, random: Random): number {
  const found = new Set(labels).size;
  // With a single cluster, or one for each row, nothing can be compared.
  if (found < 2 || found >= labels.length) return -1;
  try {
    return silhouette(codes, labels, { sample: { size: 3000, random } });
  } catch {
    // The sample may have drawn a single cluster although there are more.
    return -1;
  }
}
