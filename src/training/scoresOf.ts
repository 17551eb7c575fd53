/** All scores of labels against the truth. */

import { metrics } from "../metrics/index.ts";
import type { Labels } from "../metrics/labels.ts";

export function scoresOf(truth: Labels, labels: Labels): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, { score }]) => [name, score(truth, labels)]));
}
