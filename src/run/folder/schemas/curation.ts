/** What curation.jsonl says, line by line, and what curated/curated.json says of the model that was made of it. */

import * as v from "valibot";
import {
  agreeing,
  bareObject,
  count,
  largestCount,
  list,
  object,
  perhaps,
  type Schema,
  text,
  unknown,
  value,
  wholeNumber,
} from "../../../formats/schema.ts";
import { mostClusters } from "../../../training/fitSchemas.ts";
import { sha256, writtenFiles } from "./writtenFiles.ts";

/** A name is read by people; a longer one is none. */
const longestName = 200;
/** A cluster is not split into more at once. */
const mostParts = 100;

const cluster = wholeNumber(0, mostClusters - 1);

/** What a cluster, a mark or a person is called. */
const name = value<string>(
  `a text of 1 to ${longestName} characters`,
  (given) => typeof given === "string" && given.trim() !== "" && given.length <= longestName,
);

const tag = value<string>(
  `a text of up to ${longestName} characters`,
  (given) => typeof given === "string" && given.length <= longestName,
);

const rows = value<readonly number[]>(
  "a list of different whole numbers from 0, at least one",
  (given) =>
    Array.isArray(given) &&
    given.length > 0 &&
    given.every((row) => Number.isSafeInteger(row) && row >= 0 && row <= largestCount) &&
    new Set(given).size === given.length,
);

const clusters = value<readonly number[]>(
  "a list of two different clusters or more",
  (given) =>
    Array.isArray(given) &&
    given.length >= 2 &&
    given.every((each) => Number.isSafeInteger(each) && each >= 0 && each < mostClusters) &&
    new Set(given).size === given.length,
);

const kinds = {
  /** Another name. */
  rename: bareObject({ kind: v.literal("rename"), cluster, name }),
  /** Several clusters as one; the first of them leads. */
  merge: bareObject({ kind: v.literal("merge"), clusters, name: perhaps(name) }),
  /** One cluster as several, by a teacher on its rows. */
  split: bareObject({
    kind: v.literal("split"),
    cluster,
    into: wholeNumber(2, mostParts),
    teacher: text,
    names: perhaps(list(name)),
  }),
  /** Rows, by their numbers in the file, to a cluster that is there. */
  move: bareObject({ kind: v.literal("move"), rows, to: cluster }),
  /** Rows as a cluster of their own. */
  gather: bareObject({ kind: v.literal("gather"), rows, name }),
  /** A word beside rows, an empty one takes it away; the model stays as it is. */
  mark: bareObject({ kind: v.literal("mark"), rows, tag }),
  /** Rows of a stream, which the centers have followed. */
  follow: bareObject({ kind: v.literal("follow"), rows: count }),
} as const;

const steps = {
  /** Takes the last edit back; brings the last that was taken back again. */
  undo: bareObject({ kind: v.literal("undo") }),
  redo: bareObject({ kind: v.literal("redo") }),
  /** What waited for its rows is done. */
  apply: bareObject({ kind: v.literal("apply") }),
} as const;

const known = [...Object.keys(kinds), ...Object.keys(steps)].join(", ");

const step = v.variant("kind", [...Object.values(kinds), ...Object.values(steps)], ({ path }) =>
  path ? `one of ${known}` : "an object",
);

type Kinds = { [K in keyof typeof kinds]: v.InferOutput<(typeof kinds)[K]> };

/** What a person changes about a clustering. */
export type Edit = Readonly<Kinds[keyof Kinds]>;
export type EditOf<K extends Edit["kind"]> = Readonly<Kinds[K]>;
export type Step = Edit | { readonly kind: "undo" } | { readonly kind: "redo" } | { readonly kind: "apply" };

/** A line of the log: who has done what, and when. */
export interface Entry {
  readonly number: number;
  readonly at: string;
  readonly who: string;
  readonly edit: Step;
  /** Where its rows could not be read: it is done once they can. */
  readonly waits?: true;
  /** Of an edit that has learned something, the SHA-256 of what (curation/NUMBER.safetensors). */
  readonly made?: string;
}

const moment = value<string>(
  "a moment such as 2026-01-31T12:00:00.000Z",
  (given) => typeof given === "string" && given.length <= 40 && Number.isFinite(Date.parse(given)),
);

export const entrySchema: Schema<Entry> = agreeing(
  object({
    number: wholeNumber(1, largestCount),
    at: moment,
    who: name,
    edit: step,
    waits: perhaps(v.literal(true, "true, or nothing")),
    made: perhaps(sha256),
  }),
  function* ({ edit }) {
    if (edit.kind === "split" && edit.names && edit.names.length !== edit.into) {
      yield [["edit", "names"], `a list of ${edit.into} names, one for each part`];
    }
  },
) as Schema<Entry>;

/** The first line: of which fit. */
export interface LogHeader {
  readonly format: "telltale curation";
  readonly version: 1;
  /** The SHA-256 of its weights.safetensors. */
  readonly fit: string;
}

export const headerSchema: Schema<LogHeader> = object({
  format: v.literal("telltale curation", '"telltale curation"'),
  version: v.literal(1, "1, the version that this Telltale knows"),
  fit: sha256,
});

/** How far into the log: so many lines after the first, and the SHA-256 of all of them. */
export interface LogPosition {
  readonly entries: number;
  readonly sha256: string;
}

/** What curated.json says. */
export interface CuratedDescription {
  readonly format: "telltale curated";
  readonly version: 1;
  readonly fit: string;
  readonly log: LogPosition;
  /** What its clusters are called. */
  readonly names: readonly string[];
  /** As result in run.json, of the curated model; checked as that is. */
  readonly result: unknown;
}

export const curatedSchema: Schema<CuratedDescription> = object({
  format: v.literal("telltale curated", '"telltale curated"'),
  version: v.literal(1, "1, the version that this Telltale knows"),
  fit: sha256,
  log: object({ entries: count, sha256 }),
  names: list(text),
  result: unknown,
  files: perhaps(writtenFiles),
  seal: perhaps(sha256),
});
