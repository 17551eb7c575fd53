/** What is said about runs, their clusters and their rows. */

import * as v from "valibot";
import { cell, count, flag, id, list, number, perhaps, text } from "./values.ts";

/** A run in the list. */
export const runBrief = v.object({
  id,
  name: text,
  /**
   * `training`: a fit is at it here; `stopped`: a training that can be resumed; `broken`: its folder cannot be read,
   * and `problem` says why.
   */
  state: v.picklist(["done", "training", "stopped", "broken"]),
  problem: perhaps(text),
  method: perhaps(text),
  rows: perhaps(count),
  clusters: perhaps(count),
  created: perhaps(text),
});
export type RunBrief = v.InferOutput<typeof runBrief>;

/** A job of a sweep, and what the machine that is or was at it says: how far it is, or why it has failed. */
const saidOfJob = v.object({ job: text, words: text, host: text });

/** How many jobs, and what is said of the first of them. */
const someJobs = v.object({ count, jobs: list(saidOfJob) });

/** A sweep, as its folder shows it: every job is done, under way, failed or waiting. */
export const sweep = v.object({
  id,
  name: text,
  jobs: count,
  done: count,
  waiting: count,
  underWay: someJobs,
  failed: someJobs,
  /** The run that its answer recommends, once it was collected. */
  best: perhaps(v.object({ name: text, clusters: count, run: id })),
  /** What of its folder cannot be read, and why. */
  problem: perhaps(text),
});
export type Sweep = v.InferOutput<typeof sweep>;

/** A column of the rows: its place in the list is its number in the addresses. */
export const column = v.object({
  name: text,
  role: v.picklist(["feature", "id", "label", "time", "text", "ignored"]),
  isUsed: flag,
  /** In words: number, whole, text, date, boolean, vector of 3. */
  type: text,
  /**
   * How its values come: numbers (dates as days since 1970), codes of a dictionary, or not at all (long texts, which
   * are searched on the server).
   */
  form: v.picklist(["number", "date", "category", "none"]),
  reason: text,
  missing: number,
  distinct: perhaps(count),
});
export type Column = v.InferOutput<typeof column>;

export const clusterBrief = v.object({
  cluster: count,
  name: text,
  size: count,
  share: number,
  exemplarFrom: v.picklist(["decoder", "nearest row"]),
  /** The mean confidence of its rows. */
  confidence: number,
  /** Where its center is on the map, in the map's own units. */
  center: perhaps(v.tuple([number, number])),
});
export type ClusterBrief = v.InferOutput<typeof clusterBrief>;

export const runDescription = v.object({
  id,
  name: text,
  created: text,
  version: text,
  source: v.object({
    name: text,
    description: text,
    rows: count,
    /** [columns], or [channels, height, width] of images. */
    row: list(count),
    range: v.tuple([number, number]),
    /** Whether rows are pictures that can be shown. */
    arePictures: flag,
    /** Whether the rows are there, so that values, explanations and edits that learn can be had; else why not. */
    isThere: flag,
    reason: perhaps(text),
    /** The columns that name a row. */
    ids: list(text),
    /** What each number of a row is called, where they have names. */
    features: list(text),
  }),
  method: v.object({
    name: text,
    about: text,
    paper: text,
    profile: text,
    seed: number,
    device: text,
    options: v.record(text, v.unknown()),
  }),
  columns: list(column),
  clusters: list(clusterBrief),
  /** [left, top, right, bottom] in the map's own units: what 0 and 65534 stand for. */
  map: perhaps(v.object({ bounds: v.tuple([number, number, number, number]), shown: count })),
  /** Label-free scores, and those against known classes. */
  measures: v.record(text, v.nullable(number)),
  scores: perhaps(v.record(text, v.nullable(number))),
  notices: list(text),
  seconds: v.nullable(number),
  /** How many frames of the training are kept. */
  frames: count,
  /** Whether people have changed it, and how often: the number of edits that hold. */
  edits: count,
});
export type RunDescription = v.InferOutput<typeof runDescription>;

const placement = {
  /** The place of the row among the run's rows, from 0. */
  row: count,
  cluster: count,
  confidence: number,
  second: count,
  margin: number,
  distance: number,
  outlier: number,
};

export const shownRow = v.object({
  ...placement,
  id: perhaps(text),
  text: perhaps(text),
  values: list(number),
  filled: perhaps(list(count)),
  /** What the columns that tell most of the cluster are in it, where they have names. */
  says: perhaps(text),
});
export type ShownRow = v.InferOutput<typeof shownRow>;

export const difference = v.object({
  feature: count,
  name: text,
  here: number,
  there: number,
  /** In standard deviations of the column. */
  effect: number,
  said: perhaps(v.tuple([text, text])),
});

/** What a column says of the cluster that was not used to cluster. */
export const beside = v.variant("kind", [
  v.object({ kind: v.literal("number"), column: text, here: number, there: perhaps(number), effect: perhaps(number) }),
  v.object({
    kind: v.literal("date"),
    column: text,
    from: text,
    to: text,
    here: text,
    there: perhaps(text),
    effect: perhaps(number),
  }),
  v.object({
    kind: v.literal("category"),
    column: text,
    values: list(v.object({ value: text, here: number, there: perhaps(number) })),
  }),
  v.object({
    kind: v.literal("words"),
    column: text,
    words: list(v.object({ word: text, here: number, there: perhaps(number), score: number })),
  }),
]);

/** A cluster: what it is, what distinguishes it, its rows, and whom it is confused with. */
export const clusterCard = v.object({
  cluster: count,
  name: text,
  /** The column that its name is from, where that was not used to cluster. */
  namedBy: perhaps(text),
  size: count,
  share: number,
  exemplar: list(number),
  exemplarFrom: v.picklist(["decoder", "nearest row"]),
  mean: list(number),
  deviation: perhaps(list(number)),
  typical: list(shownRow),
  borderline: list(shownRow),
  distinguishing: list(difference),
  nearest: perhaps(v.object({ cluster: count, distance: number, differences: list(difference) })),
  /** Where its rows would go next, by share. */
  neighbours: list(v.object({ cluster: count, share: number })),
  confidence: v.object({ mean: number, histogram: list(count) }),
  beside: perhaps(list(beside)),
});
export type ClusterCard = v.InferOutput<typeof clusterCard>;

/** The line between two centers, decoded: `steps` rows, of which the first is the one and the last the other. */
export const between = v.object({
  a: count,
  b: count,
  /** 0 at a, 1 at b. */
  at: list(number),
  /** Rows in the data's own units. */
  rows: list(list(number)),
  /** The columns that change most, and what they are in each row, where they have names. */
  columns: perhaps(list(v.object({ name: text, values: list(text) }))),
  /** Which cluster the model puts each into. */
  clusters: list(count),
});
export type Between = v.InferOutput<typeof between>;

/** A row as it is in the file: everything, texts in full. */
export const wholeRow = v.object({
  row: count,
  /** Its number in the file, from 0: another than `row` where rows were left out. */
  number: count,
  placement: v.object(placement),
  values: list(v.object({ column: text, value: cell })),
});
export type WholeRow = v.InferOutput<typeof wholeRow>;

const nearRow = v.object({ row: count, id: perhaps(text), text: perhaps(text), cluster: count, apart: number });

/** Why a row is where it is: parts that add up to the margin. */
export const explanation = v.object({
  row: count,
  id: perhaps(text),
  placement: v.object({ ...placement, outlier: perhaps(number), row: perhaps(count) }),
  words: text,
  why: perhaps(
    v.object({
      own: count,
      other: count,
      /** start + Σ parts + remainder. */
      margin: number,
      latent: list(
        v.object({
          name: text,
          part: number,
          code: perhaps(number),
          own: perhaps(number),
          other: perhaps(number),
        }),
      ),
      input: v.object({
        start: number,
        parts: list(number),
        shape: list(count),
        features: list(
          v.object({
            feature: count,
            name: text,
            value: number,
            exemplar: number,
            said: perhaps(v.tuple([text, text])),
            part: number,
            filled: perhaps(v.literal(true)),
          }),
        ),
        remainder: number,
        evaluations: count,
        complete: flag,
        exemplar: list(number),
        exemplarFrom: v.picklist(["decoder", "nearest row", "caller"]),
      }),
      near: v.object({ own: list(nearRow), other: list(nearRow) }),
    }),
  ),
  beside: perhaps(
    list(v.object({ column: text, value: perhaps(v.nullable(v.union([text, number]))), cluster: beside })),
  ),
  /** The smallest change of one column alone that puts the row into the other cluster, where one does. */
  change: perhaps(
    list(
      v.object({
        feature: count,
        name: text,
        from: number,
        to: number,
        /** The cluster that it is in then. */
        cluster: count,
      }),
    ),
  ),
  /** The nearest rows of all, by their codes. */
  nearest: list(nearRow),
});
export type Explanation = v.InferOutput<typeof explanation>;

export const comparison = v.object({
  a: id,
  b: id,
  rows: count,
  agreement: v.object({ accuracy: number, nmi: number, ari: number, ami: number }),
  matched: list(v.object({ a: count, b: count, aName: text, bName: text, rows: count, share: number })),
  unmatched: v.object({
    a: list(v.object({ cluster: count, name: text, rows: count })),
    b: list(v.object({ cluster: count, name: text, rows: count })),
  }),
  /** How many rows of each cluster of a are in each of b; pairs without rows are not listed. */
  flows: list(v.object({ a: count, b: count, rows: count })),
  /** How many are not in the cluster that matches theirs, and the first of them. */
  moved: count,
  movedRows: list(
    v.object({
      row: count,
      from: count,
      to: count,
      id: perhaps(text),
      confidence: perhaps(v.object({ a: number, b: number })),
    }),
  ),
});
export type Comparison = v.InferOutput<typeof comparison>;
