/** What clusters.json says: what each cluster is. */

import * as v from "valibot";
import type { Beside, ClusterSummary, Difference, ShownRow } from "../../../explain/clusters/clusterSummary.ts";
import {
  agreeing,
  bareObject,
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

/** What a column says that was not used to cluster. */
const beside: Schema<Beside> = v.variant(
  "kind",
  [
    bareObject({
      kind: v.literal("number"),
      column: text,
      here: number,
      there: perhaps(number),
      effect: perhaps(number),
    }),
    bareObject({
      kind: v.literal("date"),
      column: text,
      from: text,
      to: text,
      here: text,
      there: perhaps(text),
      effect: perhaps(number),
    }),
    bareObject({
      kind: v.literal("category"),
      column: text,
      values: list(object({ value: text, here: number, there: perhaps(number) })),
    }),
    bareObject({
      kind: v.literal("words"),
      column: text,
      words: list(object({ word: text, here: number, there: perhaps(number), score: number })),
    }),
  ],
  ({ path }) => (path ? "one of number, date, category, words" : "an object"),
);

const twoTexts = value<readonly [string, string]>(
  "two texts",
  (said) => Array.isArray(said) && said.length === 2 && said.every((each) => typeof each === "string"),
);

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
    text: perhaps(text),
    values: rowOrNone,
    filled: perhaps(list(wholeNumber(0, width - 1))),
    attention: perhaps(
      object({
        parts: list(object({ cluster, dissimilarity: number, attention: number, part: number })),
        others: perhaps(object({ clusters: count, attention: number, part: number })),
        loss: number,
      }),
    ),
  });
  const difference: Schema<Difference> = object({
    feature: wholeNumber(0, width - 1),
    name: text,
    here: number,
    there: number,
    effect: number,
    said: perhaps(twoTexts),
  });
  const summary = object({
    cluster,
    name: text,
    namedBy: perhaps(text),
    textFrom: perhaps(text),
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
    far: perhaps(object({ distance: number, apart: perhaps(number), error: perhaps(number), reach: numbers })),
    beside: perhaps(list(beside)),
  });
  const all = v.pipe(list(summary), v.length(clusters, `a list of ${clusters} clusters`));
  return agreeing(all, function* (found) {
    const misplaced = found.findIndex((each, place) => each.cluster !== place);
    if (misplaced >= 0) yield [[misplaced, "cluster"], `${misplaced}, its place in the list`];
  });
}
