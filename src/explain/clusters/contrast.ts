/** What makes the rows of a cluster different from others. */

import { featureName } from "./clusterNames.ts";
import type { Difference } from "./clusterSummary.ts";

export interface Scale {
  /** The standard deviation of each number over all rows. */
  readonly deviation: ArrayLike<number>;
  readonly row: readonly number[];
  readonly columns?: readonly string[];
}

/** effect = (here − there)/deviation, the largest first; a number that never varies differs nowhere. */
export function contrast(
  here: ArrayLike<number>,
  there: ArrayLike<number>,
  { deviation, row, columns = [] }: Scale,
  most: number,
): Difference[] {
  const effects = Float64Array.from(here, (mean, i) => (deviation[i]! > 0 ? (mean - there[i]!) / deviation[i]! : 0));
  const order = Array.from(effects, (_, i) => i).filter((i) => effects[i] !== 0);
  order.sort((a, b) => Math.abs(effects[b]!) - Math.abs(effects[a]!));
  return order.slice(0, most).map((feature) => ({
    feature,
    name: featureName(feature, row, columns),
    here: here[feature]!,
    there: there[feature]!,
    effect: effects[feature]!,
  }));
}
