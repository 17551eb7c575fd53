/** What scikit-learn computed, as fixtures/make_fixtures.py recorded it. */

import { readFileSync } from "node:fs";
import type { InnerMetricName, MetricName } from "../../src/metrics/index.ts";

export interface RecordedLabeling {
  readonly name: string;
  readonly truth: readonly number[];
  readonly clusters: readonly number[];
  readonly scores: Readonly<Record<MetricName, number>>;
}

/** Labelings by `byRule`, too long to write down. */
export interface RecordedRule {
  readonly n: number;
  readonly groups: number;
  readonly scores: Readonly<Record<MetricName, number>>;
}

export interface RecordedRows {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: readonly number[];
  readonly clusters: readonly number[];
  readonly scores: Readonly<Record<InnerMetricName, number>>;
}

export const recorded: {
  readonly labelings: readonly RecordedLabeling[];
  readonly large: readonly RecordedRule[];
  readonly rows: readonly RecordedRows[];
} = JSON.parse(readFileSync(new URL("fixtures/metrics.json", import.meta.url), "utf8"));

/** About 70 of 100 rows in the cluster of their class, the others anywhere, as in fixtures/make_fixtures.py. */
export function byRule({ n, groups }: RecordedRule): { truth: Int32Array; clusters: Int32Array } {
  const truth = Int32Array.from({ length: n }, (_, row) => row % groups);
  const clusters = truth.map((group, row) => {
    const dealt = (row * 7919) % 10007;
    return dealt % 100 < 70 ? group : dealt % (groups + 3);
  });
  return { truth, clusters };
}
