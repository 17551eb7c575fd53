/** What an epoch of clustering is: its kind, and the numbers that are fed in all of its steps. */

import type { Clustering } from "./method.ts";
import type { Plan } from "./plan.ts";

export interface ScheduledEpoch {
  /** Of the method's kinds of steps. */
  readonly kind: string;
  readonly scheduled: Readonly<Record<string, number>>;
}

export function epochOf(
  { options: { rate, decay, decayEvery, leastRate } }: Plan,
  clustering: Clustering,
  epoch: number,
  epochs: number,
): ScheduledEpoch {
  return {
    kind: clustering.kindOf?.(epoch) ?? Object.keys(clustering.steps)[0]!,
    scheduled: {
      rate: decayEvery > 0 ? Math.max(rate * decay ** Math.floor(epoch / decayEvery), leastRate) : rate,
      ...clustering.schedule?.(epoch, epochs),
    },
  };
}
