/** What files say about a training: its plan, its epochs, how its restarts ended, where it was stopped. */

import type * as v from "valibot";
import {
  byName,
  count,
  flag,
  largestCount,
  list,
  measure,
  number,
  numbers,
  object,
  oneOf,
  perhaps,
  range,
  type Schema,
  text,
  value,
  wholeNumber,
} from "../formats/schema.ts";
import { sizeOf } from "../tensor/tensor.ts";
import type { Epoch } from "./epoch.ts";
import type { Taught } from "./lesson.ts";

/** More clusters than this are none. */
export const mostClusters = 2 ** 20;
export const profile = oneOf("paper", "practical");
/** Rows may have any shape; more axes than this are a mistake. */
const mostAxes = 8;
export const row = value<readonly number[]>(
  `a list of 1 to ${mostAxes} whole numbers from 1, for up to ${largestCount} numbers in a row`,
  (sizes) =>
    Array.isArray(sizes) &&
    sizes.length >= 1 &&
    sizes.length <= mostAxes &&
    sizes.every((size) => Number.isSafeInteger(size) && size >= 1) &&
    sizeOf(sizes) <= largestCount,
);

/** What an option of a method may be; the method knows more. */
export const option = value<unknown>(
  `a number, a text, true or false, or a list of whole numbers from 1 to ${largestCount}`,
  (given) =>
    ["number", "string", "boolean"].includes(typeof given) ||
    (Array.isArray(given) && given.every((size) => Number.isSafeInteger(size) && size >= 1 && size <= largestCount)),
);

export const planDescription = object({
  method: text,
  profile,
  options: byName(option),
  clusters: wholeNumber(1, mostClusters),
  seed: wholeNumber(0),
  row,
  range,
  count: wholeNumber(1, largestCount),
  scaling: perhaps(object({ shift: numbers, factor: numbers, missing: perhaps(numbers), logarithm: perhaps(numbers) })),
  shares: perhaps(list(object({ first: count, count: wholeNumber(1, largestCount), weight: number }))),
  means: perhaps(numbers),
  /** Of each cluster its centers, where a person has merged or split some. */
  members: perhaps(list(list(count))),
  /** Of the user's own network, its formulas as text. */
  network: perhaps(text),
  evaluateEvery: perhaps(number),
  /** A fingerprint of the rows. */
  rows: perhaps(number),
  teacher: perhaps(number),
});

export const stopped = oneOf("all epochs done", "all steps done", "labels stay", "the loss stays");
/** Scores that need no labels. */
export const measures = object({ loss: measure, silhouette: measure, divergence: measure });
/** How one restart ended. */
export const restartSummary = object({ restart: count, measures, scores: perhaps(byName(measure)), stopped });

const phase = oneOf("pretraining", "teaching", "clustering");

/** How an epoch went: a line of epochs.jsonl. */
export const epochLine: Schema<Omit<Epoch, "snapshot">> = object({
  restart: count,
  phase,
  epoch: count,
  epochs: count,
  losses: byName(measure),
  share: perhaps(measure),
  sizes: perhaps(list(count)),
  changed: perhaps(measure),
  scores: perhaps(byName(measure)),
  notices: list(text),
  seconds: measure,
  remaining: measure,
});

const tried = list(object({ view: text, teacher: text, score: measure, error: measure }));
const ofLesson = { names: perhaps(list(text)), network: perhaps(oneOf("none")) };
/** Of a lesson, all but its labels. */
const lesson = { teacher: text, view: text, pretraining: count, reason: text, tried, ...ofLesson };
const held = object({
  rows: count,
  agreement: measure,
  chance: measure,
  clusters: list(measure),
  calibration: measure,
});
/** A threshold below nothing would leave no row a cluster. */
const threshold = value<number>("a number from 0", (given) => typeof given === "number" && given >= 0);
const none = object({
  ...{ rows: count, held: count, distance: threshold, error: threshold },
  ...{ auroc: measure, neighbours: measure, isSaid: flag },
  near: perhaps(object({ place: wholeNumber(1, largestCount), limit: threshold })),
});
/** What a student was taught, and how well it has learned. */
export const taught: Schema<Taught> = object({
  ...lesson,
  rows: count,
  agreement: measure,
  held: perhaps(held),
  none: perhaps(none),
  centers: oneOf("means", "learned"),
});

/** More pretrainings than this are a mistake. */
const mostPretrainings = 1000;

/** What a checkpoint says beside its tensors. */
const checkpoint = object({
  plan: planDescription,
  restart: count,
  phase,
  epoch: count,
  loss: perhaps(measure),
  stopped: perhaps(stopped),
  kept: perhaps(restartSummary),
  finished: list(restartSummary),
  history: list(epochLine),
  /** How many pretrainings have ended, where a student is to go on from one. */
  pretrainings: perhaps(wholeNumber(1, mostPretrainings)),
  lesson: perhaps(object(lesson)),
});

export const checkpointValue: Schema<v.InferOutput<typeof checkpoint>> = checkpoint;
