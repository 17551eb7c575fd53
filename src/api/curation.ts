/** What people change about a run: edits that are kept beside the fit, and go into a model of their own. */

import * as v from "valibot";
import { count, few, flag, list, number, perhaps, short, text } from "./values.ts";

const name = v.pipe(short(200), v.trim(), v.minLength(1));
const rows = v.pipe(few(count, 100_000), v.minLength(1));

export const edit = v.variant("kind", [
  v.object({ kind: v.literal("rename"), cluster: count, name }),
  v.object({ kind: v.literal("merge"), clusters: v.pipe(few(count, 4096), v.minLength(2)), name: perhaps(name) }),
  /** A teacher on the rows of one cluster; two parts unless told. */
  v.object({
    kind: v.literal("split"),
    cluster: count,
    parts: perhaps(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(64))),
  }),
  v.object({ kind: v.literal("move"), rows, to: count }),
  /** Rows become a cluster of their own. */
  v.object({ kind: v.literal("group"), rows, name: perhaps(name) }),
  /** A word beside rows, by which somebody finds them again. */
  v.object({ kind: v.literal("mark"), rows, mark: name }),
]);
export type Edit = v.InferOutput<typeof edit>;

/** What an edit would do, before it does it. */
export const editPreview = v.object({
  /** One sentence. */
  words: text,
  /** Rows whose cluster it changes because that is what it says, and others that would change with them. */
  meant: count,
  others: count,
  share: number,
  /** Whether it has to be confirmed: more than 0.1 % of the other rows would change. */
  asks: flag,
  /** Why it cannot be done now, such as rows that are not there; it then waits. */
  waits: perhaps(text),
});
export type EditPreview = v.InferOutput<typeof editPreview>;

export const editRequest = v.object({
  edit,
  /** Of the curation that the person has seen: another one has changed it meanwhile where it differs. */
  version: count,
  /** Whether the person has been asked. */
  confirmed: perhaps(flag),
});
export type EditRequest = v.InferOutput<typeof editRequest>;

export const curation = v.object({
  /** Grows with every edit, undo and redo. */
  version: count,
  edits: list(
    v.object({
      number: count,
      when: text,
      who: text,
      words: text,
      kind: text,
      /** Whether it holds, was undone, or waits for the rows. */
      state: v.picklist(["holds", "undone", "waits"]),
    }),
  ),
  canUndo: flag,
  canRedo: flag,
  /** Marks of rows, by row. */
  marks: list(v.object({ row: count, mark: text })),
});
export type Curation = v.InferOutput<typeof curation>;
