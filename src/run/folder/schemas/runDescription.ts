/** What run.json says: enough to use the model, to go on with a training that was stopped, and to make it again. */

import * as v from "valibot";
import type { ColumnReport } from "../../../data/columnReport.ts";
import { type Feature, featureKey } from "../../../data/feature.ts";
import {
  agreeing,
  bareObject,
  byName,
  count,
  type Disagreement,
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
} from "../../../formats/schema.ts";
import { mostOnMap } from "../../../map/shownRows.ts";
import { sizeOf } from "../../../tensor/tensor.ts";
import {
  measures,
  mostClusters,
  option,
  planDescription,
  profile,
  restartSummary,
  row,
  stopped,
  taught,
} from "../../../training/fitSchemas.ts";
import { areMembers, clusterCount } from "../../../training/membership.ts";
import { sha256, writtenFiles } from "./writtenFiles.ts";

/** So many columns are described at most. */
export const mostColumns = 512;
/** So many snapshots of the clusters may be asked for, of each restart. */
export const mostSnapshots = 24;
/** Raised when an older Telltale could not read what is written. */
export const runFormat = 2;

const pair = value<readonly [number, number]>(
  "two numbers",
  (place) => Array.isArray(place) && place.length === 2 && place.every(Number.isFinite),
);

const feature: Schema<Feature> = v.variant(
  "kind",
  [
    bareObject({ kind: oneOf("number", "boolean", "date", "count"), column: text }),
    bareObject({ kind: v.literal("element"), column: text, index: count }),
    bareObject({ kind: v.literal("category"), column: text, value: text }),
    bareObject({ kind: v.literal("other"), column: text, except: list(text) }),
    bareObject({ kind: v.literal("ordered"), column: text, values: list(text) }),
    bareObject({
      kind: v.literal("cycle"),
      column: text,
      period: oneOf("day", "week", "year"),
      part: oneOf("sin", "cos"),
    }),
  ],
  ({ path }) => (path ? "one of number, boolean, date, count, element, category, other, ordered, cycle" : "an object"),
);

const clusterRange = value<readonly [number, number]>(
  "two whole numbers from 1, the smaller first",
  (pair) =>
    Array.isArray(pair) &&
    pair.length === 2 &&
    pair.every((n) => Number.isSafeInteger(n) && n >= 1 && n <= mostClusters) &&
    pair[0] <= pair[1],
);
const bareName = value<string>(
  "a file's name without folders",
  (name) => typeof name === "string" && /^[^/\\\s][^/\\]*$/.test(name),
);

const shareOf = value<readonly [string, number]>(
  "a text and a number",
  (pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" && Number.isFinite(pair[1]),
);

/** A column of the file: what it is for, what it holds, and why. */
const column: Schema<ColumnReport> = object({
  name: text,
  role: oneOf("feature", "id", "label", "time", "text", "ignored"),
  isUsed: flag,
  type: text,
  missing: number,
  distinct: perhaps(count),
  range: perhaps(list(v.union([number, text], "a number or a text"))),
  top: perhaps(list(shareOf)),
  reason: text,
});

/** How rows are read. */
export const rowOptions = object({
  columns: perhaps(list(text)),
  ignore: perhaps(list(text)),
  id: perhaps(v.union([text, list(text)], "a text, or a list of texts")),
  label: perhaps(text),
  teacher: perhaps(text),
  text: perhaps(text),
  encode: perhaps(list(text)),
  order: perhaps(byName(list(text))),
  sql: perhaps(text),
  missing: perhaps(v.union([oneOf("mean", "drop"), byName(number)], '"mean", "drop", or numbers by column')),
  inMemory: perhaps(wholeNumber(0)),
  memory: perhaps(wholeNumber(0)),
  table: perhaps(text),
  array: perhaps(text),
  imageSize: perhaps(wholeNumber(1, largestCount)),
});

const source = object({
  /** As it was given: a path, or - for standard input. */
  name: text,
  /** Where it is, whatever the current folder. */
  path: perhaps(text),
  options: rowOptions,
  /** One line: what was used, and what was not. */
  description: text,
  rows: count,
  /** How many more there are, which were left out since a value is missing (dropped.csv). */
  dropped: perhaps(count),
  row,
  range,
  /** A number that other rows, or the same in another order, would hardly have. */
  fingerprint: perhaps(text),
  /** What each number of a row is made of; none for images, nor where a model was saved without names. */
  features: list(feature),
  /** The columns that name a row. */
  ids: list(text),
  /** The mean of each column where missing values were filled in. */
  filled: perhaps(numbers),
  /** The decimal mark of each column whose numbers were not written as programs do. */
  marks: perhaps(byName(oneOf("point", "comma"))),
  /** The names of the classes, where labels came along; they score and decide nothing. */
  classes: perhaps(list(text)),
  /** Of a table: its columns, the first ones where there are very many. */
  table: perhaps(list(column)),
});

/** What was asked for. */
const settings = object({
  /** A number, or a range to choose from. */
  clusters: v.union([wholeNumber(1, mostClusters), clusterRange], "a whole number from 1, or two of them for a range"),
  method: text,
  /** Of a method of one's own: the file it was in, a hash of its text, and what it says about itself. */
  methodFile: perhaps(object({ file: bareName, sha256, about: text, paper: text })),
  profile,
  seed: wholeNumber(0),
  device: perhaps(oneOf("cpu", "gpu", "wasm")),
  /** False where it is not asked whether there are groups, no map is drawn, or no report written. */
  groups: perhaps(flag),
  map: perhaps(flag),
  report: perhaps(flag),
  /** How many snapshots of the clusters are kept through training (snapshots.safetensors). */
  snapshots: perhaps(wholeNumber(1, mostSnapshots)),
  /** Whether a frozen encoder comes first: encoder.onnx in the folder. */
  encoder: perhaps(flag),
  /** Of a clustering of one's own: where it was from, in words, and what its clusters are called (teacher.npy). */
  teacher: perhaps(object({ from: text, names: list(text) })),
  /** How much columns weigh, where it is not 1. */
  weight: perhaps(byName(number)),
  /** Options of the method, where they were given. */
  options: byName(option),
});

const choice = object({
  chosen: wholeNumber(1, mostClusters),
  reason: text,
  /** The fewest and the most groups there may be; runs of before do not say. */
  between: perhaps(clusterRange),
  tried: list(object({ clusters: wholeNumber(1, mostClusters), scores: byName(measure) })),
});

const result = object({
  plan: planDescription,
  /** The restart that was kept, and how all ended. */
  restart: count,
  restarts: list(restartSummary),
  measures,
  stopped,
  /** What a student was taught, and how well it has learned. */
  taught: perhaps(taught),
  /** Against labels, where there were any. */
  scores: perhaps(byName(measure)),
  /** Then also how many rows of each class are in each cluster. */
  confusion: perhaps(object({ classes: list(text), table: list(list(count)) })),
  /** The column that decides the clusters almost alone, where there is one: how much of its variance they tell. */
  deciding: perhaps(object({ column: text, share: number, next: object({ column: text, share: number }) })),
  /** Where the centers are on the map, and how many rows are. */
  map: perhaps(object({ centers: list(pair), shown: count })),
  /** Where it was trained, in words. */
  device: text,
  /** All of it, from the first row that was read to the report. */
  seconds: measure,
  /** Where the model is there, and the map, the assignments or the report are still to come. */
  unfinished: perhaps(flag),
  notices: list(text),
});

const parts = object({
  format: v.literal("telltale run", '"telltale run"'),
  version: wholeNumber(runFormat, runFormat),
  /** The version of Telltale that wrote it. */
  telltale: text,
  /** A training that is under way, or was stopped, has a checkpoint and no model yet. */
  status: oneOf("training", "done"),
  created: text,
  source,
  settings,
  choice: perhaps(choice),
  /** Once it is done. */
  result: perhaps(result),
  /** The hashes of the files that the run has written, and of all that is said here: by these it knows them. */
  files: perhaps(writtenFiles),
  seal: perhaps(sha256),
});

export type SourceDescription = v.InferOutput<typeof source>;
export type RunResult = v.InferOutput<typeof result>;
export type RunDescription = v.InferOutput<typeof parts>;

/** A model that was saved, and not a run of a file that happens to have such a name. */
export function isFromMemory({ name, path, options }: Pick<SourceDescription, "name" | "path" | "options">): boolean {
  return name === "memory" && path === undefined && options.sql === undefined;
}

/** run.json. */
export const runDescription: Schema<RunDescription> = agreeing(
  parts,
  function* ({
    source: { rows, row, features, filled },
    settings: { encoder, method, teacher, clusters },
    result,
  }): Iterable<Disagreement> {
    const width = sizeOf(row);
    // Behind an encoder, what was saved may have the names of its own numbers.
    if (!encoder && features.length !== 0 && features.length !== width) {
      yield [["source", "features"], `a list of ${width}, one for each number of a row, or of none`];
    }
    if (!encoder && filled && filled.length !== width) {
      yield [["source", "filled"], `a list of ${width} numbers, one for each of a row`];
    }
    const keys = new Set<string>();
    const again = features.findIndex((each) => keys.size === keys.add(featureKey(each)).size);
    if (again >= 0) yield [["source", "features", again], "another feature than those before it"];
    if (teacher && teacher.names.length !== clusters) {
      yield [["settings", "teacher", "names"], "a list of settings.clusters names"];
    }
    if (!result) return;
    if (result.plan.method !== method) yield [["result", "plan", "method"], `settings.method, ${method}`];
    for (const [name, values] of Object.entries(result.plan.scaling ?? {})) {
      if ([1, sizeOf(result.plan.row)].includes(values.length)) continue;
      yield [["result", "plan", "scaling", name], `a list of ${sizeOf(result.plan.row)} numbers, or of one for all`];
    }
    let free = 0;
    for (const [i, { first, count }] of (result.plan.shares ?? []).entries()) {
      if (first < free || first + count > sizeOf(result.plan.row) || !result.plan.scaling) {
        yield [["result", "plan", "shares", i], "places of a row, one after the other, of which the scaling is known"];
      }
      free = first + count;
    }
    const { plan, map, confusion, restart, restarts, taught } = result;
    const k = clusterCount(plan);
    if (plan.members && !areMembers(plan)) {
      yield [["result", "plan", "members"], `lists that have each center from 0 to ${plan.clusters - 1} once`];
    }
    if (taught?.names && taught.names.length !== k) {
      yield [["result", "taught", "names"], `a list of ${k} names, one for each cluster`];
    }
    if (taught?.held && taught.held.clusters.length !== k) {
      yield [["result", "taught", "held", "clusters"], `a list of ${k} shares, one for each cluster`];
    }
    if (!encoder && `${plan.row}` !== `${row}`) {
      yield [["result", "plan", "row"], `source.row, [${row}], as there is no encoder before it (settings.encoder)`];
    }
    if (plan.means && plan.means.length !== sizeOf(plan.row)) {
      yield [["result", "plan", "means"], `a list of ${sizeOf(plan.row)} numbers, one for each of a row`];
    }
    if (plan.clusters > rows) {
      yield [["result", "plan", "clusters"], `a whole number up to source.rows, ${rows}`];
    }
    if (!restarts.some((each) => each.restart === restart)) {
      yield [["result", "restart"], "the number of one of result.restarts"];
    }
    if (map && map.shown > rows) {
      yield [["result", "map", "shown"], `a whole number up to source.rows, ${rows}`];
    }
    if (map && map.shown > mostOnMap) {
      yield [["result", "map", "shown"], `a whole number up to ${mostOnMap}, as many as a map shows`];
    }
    if (map && map.centers.length !== k) {
      yield [["result", "map", "centers"], `a list of ${k} places, one for each cluster`];
    }
    if (confusion && confusion.table.length !== confusion.classes.length) {
      yield [["result", "confusion", "table"], `a list of ${confusion.classes.length}, one for each class`];
    }
    const short = confusion?.table.findIndex((counts) => counts.length !== k) ?? -1;
    if (short >= 0) {
      yield [["result", "confusion", "table", short], `a list of ${k} counts, one for each cluster`];
    }
  },
);
