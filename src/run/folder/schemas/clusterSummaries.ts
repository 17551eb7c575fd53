/** What clusters.json says: what each cluster is. */

import * as v from "valibot";
import type { ClusterSummary, Difference, ShownRow } from "../../../explain/clusters/clusterSummary.ts";
import {
  count,
  list,
  measure,
  numbers,
  object,
  oneOf,
  perhaps,
  type Schema,
  text,
  value,
  wholeNumber,
} from "./schema.ts";

/** Of so many clusters, in rows of so many numbers. */
export function clusterSummaries(clusters: number, width: number): Schema<readonly ClusterSummary[]> {
  const cluster = wholeNumber(0, clusters - 1);
  const rowOrNone = value<readonly number[]>(
    `a list of ${width} numbers, or of none`,
    (row) => Array.isArray(row) && [0, width].includes(row.length) && row.every(Number.isFinite),
  );
  const shownRow: Schema<ShownRow> = object({
    row: count,
    cluster,
    confidence: measure,
    second: cluster,
    margin: measure,
    distance: measure,
    outlier: measure,
    id: perhaps(text),
    values: rowOrNone,
  });
  const difference: Schema<Difference> = object({
    feature: wholeNumber(0, width - 1),
    name: text,
    here: measure,
    there: measure,
    effect: measure,
  });
  const summary = object({
    cluster,
    name: text,
    size: count,
    share: measure,
    exemplar: rowOrNone,
    exemplarFrom: oneOf("decoder", "nearest row"),
    mean: rowOrNone,
    deviation: perhaps(rowOrNone),
    typical: list(shownRow),
    borderline: list(shownRow),
    distinguishing: list(difference),
    nearest: perhaps(object({ cluster, distance: measure, differences: list(difference) })),
    neighbours: list(object({ cluster, share: measure })),
    confidence: object({ mean: measure, histogram: list(count) }),
    reach: numbers,
  });
  return v.pipe(list(summary), v.length(clusters, `a list of ${clusters} clusters`));
}
