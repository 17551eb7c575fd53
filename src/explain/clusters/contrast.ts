/** What makes the rows of a cluster different from others. */

import type { Feature } from "../../data/feature.ts";
import { nameAt } from "./clusterNames.ts";
import type { Difference } from "./clusterSummary.ts";

export interface Scale {
  /** The standard deviation of each number over all rows. */
  readonly deviation: ArrayLike<number>;
  readonly row: readonly number[];
  readonly features?: readonly Feature[];
}

/** effect = (here − there)/deviation, the largest first; a number that never varies differs nowhere. */
export function contrast(
  here: ArrayLike<number>,
  there: ArrayLike<number>,
  { deviation, row, features = [] }: Scale,
  most: number,
): Difference[] {
  const effects = Float64Array.from(here, (mean, i) => (deviation[i]! > 0 ? (mean - there[i]!) / deviation[i]! : 0));
  const order = Array.from(effects, (_, i) => i).filter((i) => effects[i] !== 0);
  order.sort((a, b) => Math.abs(effects[b]!) - Math.abs(effects[a]!));
  return order.slice(0, most).map((feature) => ({
    feature,
    name: nameAt(feature, row, features),
    here: here[feature]!,
    there: there[feature]!,
    effect: effects[feature]!,
  }));
}
