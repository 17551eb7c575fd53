/** Files that can be fitted, fits that are under way, and what they tell. */

import * as v from "valibot";
import { column } from "./runs.ts";
import { count, few, flag, id, list, number, perhaps, short, text } from "./values.ts";

/** A data file that was named on the command line or uploaded. */
export const source = v.object({ id, name: text, kind: v.picklist(["file", "folder", "upload"]) });
export type Source = v.InferOutput<typeof source>;

const columnName = short(1000);

/** What each column is for, where a person corrects it, and how the file is read. */
export const rowOptions = v.object({
  columns: perhaps(few(columnName, 10_000)),
  ignore: perhaps(few(columnName, 10_000)),
  id: perhaps(few(columnName, 16)),
  label: perhaps(columnName),
  text: perhaps(columnName),
  encode: perhaps(few(columnName, 1000)),
  missing: perhaps(v.picklist(["mean", "drop"])),
  table: perhaps(columnName),
  array: perhaps(columnName),
  imageSize: perhaps(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024))),
});
export type RowOptions = v.InferOutput<typeof rowOptions>;

export const inspectRequest = v.object({ source: id, rows: perhaps(rowOptions) });
export type InspectRequest = v.InferOutput<typeof inspectRequest>;

/** What is in a file: every column, what it would be for and why, and the first rows. */
export const inspection = v.object({
  source: id,
  name: text,
  rows: count,
  description: text,
  columns: list(
    v.object({
      ...v.omit(column, ["form"]).entries,
      range: perhaps(list(v.union([number, text]))),
      top: perhaps(list(v.tuple([text, number]))),
    }),
  ),
  /** The first rows of a table, as texts. */
  preview: v.object({ columns: list(text), rows: list(list(v.nullable(text))) }),
});
export type Inspection = v.InferOutput<typeof inspection>;

const optionValue = v.union([text, number, flag, list(number)]);

/** An option as the method declares it. */
export const option = v.object({
  name: text,
  kind: v.picklist(["number", "whole", "choice", "flag", "sizes"]),
  about: text,
  fallback: optionValue,
  from: perhaps(number),
  /** null: without an end. */
  to: perhaps(v.nullable(number)),
  choices: perhaps(list(text)),
  /** What it may be, in words, and what the profiles say. */
  allowed: text,
  practical: optionValue,
  paper: optionValue,
});
export type Option = v.InferOutput<typeof option>;

export const method = v.object({
  name: text,
  about: text,
  paper: text,
  isDefault: flag,
  options: list(option),
  shared: list(option),
});
export type Method = v.InferOutput<typeof method>;

/** Something that programs may run on: here, or why not. */
export const device = v.object({ name: v.picklist(["cpu", "gpu", "wasm"]), here: flag, words: text });
export type Device = v.InferOutput<typeof device>;

export const fitRequest = v.object({
  source: id,
  /** What the run is called; as the file unless told. */
  name: perhaps(v.pipe(short(80), v.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u))),
  method: perhaps(short(40)),
  profile: perhaps(v.picklist(["practical", "paper"])),
  /** A number, or a range; as many as there are groups unless told. */
  clusters: perhaps(
    v.union([
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4096)),
      v.tuple([count, count]),
      v.literal("auto"),
    ]),
  ),
  effort: perhaps(v.picklist(["quick", "normal", "thorough"])),
  seed: perhaps(count),
  /** The first that is here unless told. */
  device: perhaps(device.entries.name),
  options: perhaps(v.record(short(60), optionValue)),
  weight: perhaps(v.record(columnName, number)),
  rows: perhaps(rowOptions),
});
export type FitRequest = v.InferOutput<typeof fitRequest>;

/** How long a fit takes, about, before it has begun. */
export const expectedTime = v.object({
  seconds: number,
  /** What it consists of. */
  parts: list(text),
  /** Where the rows may turn out to need no network: how long it takes then. */
  withoutNetwork: perhaps(number),
});
export type ExpectedTime = v.InferOutput<typeof expectedTime>;

/** What an epoch has told. */
export const fitEpoch = v.object({
  restart: count,
  phase: v.picklist(["pretraining", "teaching", "clustering"]),
  epoch: count,
  epochs: count,
  losses: v.record(text, v.nullable(number)),
  sizes: perhaps(list(count)),
  changed: perhaps(number),
  seconds: number,
  /** Until all is done. */
  remaining: number,
});
export type FitEpoch = v.InferOutput<typeof fitEpoch>;

/** A frame of the moving map: the model's codes at an epoch, laid out from the last positions. */
export const frame = v.object({
  frame: count,
  restart: count,
  phase: v.picklist(["pretraining", "teaching", "clustering"]),
  epoch: count,
  /** How many rows it has. */
  rows: count,
  clusters: count,
  /** Whether the exemplars of that epoch can be had. */
  hasExemplars: flag,
});
export type Frame = v.InferOutput<typeof frame>;

export const fit = v.object({
  id,
  name: text,
  source: perhaps(id),
  state: v.picklist(["queued", "running", "stopping", "stopped", "failed", "done"]),
  /** What it is at, in words, and how far: 0 to 1. */
  stage: perhaps(v.object({ words: text, share: number })),
  /** Seconds that all of it takes, about, and what is left. */
  expected: perhaps(v.object({ seconds: number, parts: list(text) })),
  remaining: perhaps(number),
  method: text,
  device: perhaps(text),
  /** Of rows that are pictures: [channels, height, width], and what is black and what is white. */
  pictures: perhaps(v.object({ row: list(count), range: v.tuple([number, number]) })),
  clusters: perhaps(count),
  epochs: list(fitEpoch),
  frames: list(frame),
  notices: list(text),
  /** Why it failed. */
  problem: perhaps(text),
  /** The run, once it can be looked at. */
  run: perhaps(id),
});
export type Fit = v.InferOutput<typeof fit>;

/** What the stream of events says: the name of the event is its `kind`. */
export const serverEvent = v.variant("kind", [
  /** The list of runs has changed. */
  v.object({ kind: v.literal("runs") }),
  /** A sweep has come further. */
  v.object({ kind: v.literal("sweeps") }),
  /** A fit has begun, goes on, or has ended: without its epochs and frames, which come one by one. */
  v.object({ kind: v.literal("fit"), fit: v.omit(fit, ["epochs", "frames"]) }),
  v.object({ kind: v.literal("epoch"), fit: id, epoch: fitEpoch }),
  v.object({ kind: v.literal("frame"), fit: id, frame }),
  /** Somebody has changed the clusters of a run. */
  v.object({ kind: v.literal("curation"), run: id, version: count }),
]);
export type ServerEvent = v.InferOutput<typeof serverEvent>;
