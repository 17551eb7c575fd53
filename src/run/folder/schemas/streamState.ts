/** What RUN/stream/state.safetensors says beside its tensors: how far a stream has come. */

import type * as v from "valibot";
import {
  agreeing,
  flag,
  list,
  number,
  object,
  oneOf,
  perhaps,
  type Schema,
  text,
  value,
  wholeNumber,
} from "../../../formats/schema.ts";
import type { DriftState } from "../../../training/drift.ts";

/** More rows than this in one batch are no stream. */
export const largestBatch = 2 ** 16;

const drift: Schema<DriftState["counted"]> = object({
  rows: wholeNumber(0),
  batches: wholeNumber(0),
  loss: number,
  firstLoss: number,
  unsure: number,
});

const parts = object({
  /** The input as people call it, and where it is if it is a file with a name. */
  source: text,
  path: perhaps(text),
  /** The place in it: bytes and line breaks before it, or messages before it. */
  offset: wholeNumber(0),
  breaks: wholeNumber(0),
  /** Of messages: whose they are, where the last one lies, and its SHA-256. */
  last: perhaps(object({ topic: text, place: text, sha256: text })),
  /** SHA-256 of the last 64 KiB before the place; of messages nothing. */
  tail: text,
  header: perhaps(
    object({
      names: list(text),
      separator: perhaps(value<string>("one character", (mark) => typeof mark === "string" && mark.length === 1)),
      /** Of these, the columns that name a row; streams of before have those that the run was fitted with. */
      ids: perhaps(list(text)),
    }),
  ),
  /** Whether the input has ended. */
  finished: flag,
  /** Without it, rows went to standard output. */
  output: perhaps(
    object({
      path: text,
      format: oneOf("csv", "jsonl"),
      guardFormulas: perhaps(flag),
      columns: list(text),
      length: wholeNumber(0),
    }),
  ),
  /** The file for rows that could not be used, and how much of it counts. */
  aside: perhaps(object({ path: text, length: wholeNumber(0) })),
  /** Rows of all calls, and how many of them could not be used. */
  rows: wholeNumber(0),
  skipped: wholeNumber(0),
  batch: wholeNumber(1, largestBatch),
  rate: value<number>("a number above 0, at most 1", (rate) => typeof rate === "number" && rate > 0 && rate <= 1),
  frozen: flag,
  /** Of a curated run: the SHA-256 of the weights that it began with. Edits make others, and what it kept is past. */
  model: perhaps(text),
  /** How the centers have drifted. */
  drift: perhaps(drift),
});

export type StreamState = Omit<v.InferOutput<typeof parts>, "drift">;

export const streamState: Schema<v.InferOutput<typeof parts>> = agreeing(parts, function* ({ rows, skipped }) {
  if (skipped > rows) yield [["skipped"], `a whole number up to rows, ${rows}`];
});
