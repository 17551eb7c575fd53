/** What clusters.json says: what each cluster is. */

import * as v from "valibot";
import type { ClusterSummary, Difference, ShownRow } from "../../../explain/clusters/clusterSummary.ts";
import {
  agreeing,
  count,
  list,
  number,
  numbers,
  object,
  oneOf,
  perhaps,
  type Schema,
  text,
  value,
  wholeNumber,
} from "../../../formats/schema.ts";

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
    confidence: number,
    second: cluster,
    margin: number,
    distance: number,
    outlier: number,
    id: perhaps(text),
    values: rowOrNone,
  });
  const difference: Schema<Difference> = object({
    feature: wholeNumber(0, width - 1),
    name: text,
    here: number,
    there: number,
    effect: number,
  });
  const summary = object({
    cluster,
    name: text,
    size: count,
    share: number,
    exemplar: rowOrNone,
    exemplarFrom: oneOf("decoder", "nearest row"),
    mean: rowOrNone,
    deviation: perhaps(rowOrNone),
    typical: list(shownRow),
    borderline: list(shownRow),
    distinguishing: list(difference),
    nearest: perhaps(object({ cluster, distance: number, differences: list(difference) })),
    neighbours: list(object({ cluster, share: number })),
    confidence: object({ mean: number, histogram: list(count) }),
    reach: numbers,
  });
  const all = v.pipe(list(summary), v.length(clusters, `a list of ${clusters} clusters`));
  return agreeing(all, function* (found) {
    const misplaced = found.findIndex((each, place) => each.cluster !== place);
    if (misplaced >= 0) yield [[misplaced, "cluster"], `${misplaced}, its place in the list`];
  });
}
