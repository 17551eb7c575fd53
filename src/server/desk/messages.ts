/** What the server and its desk, the process that computes answers, say to each other. */

import type { ServerEvent } from "../../api/fits.ts";
import type { RouteName } from "../../api/routes.ts";

/** What takes long enough to keep others waiting: a model is asked, or learns. */
export const atDesk = [
  "explanation",
  "between",
  "compare",
  "comparedRows",
  "curation",
  "previewEdit",
  "edit",
  "undo",
  "redo",
] as const satisfies readonly RouteName[];
export type DeskRoute = (typeof atDesk)[number];

export interface ToDesk {
  readonly number: number;
  readonly route: DeskRoute;
  readonly asked: object;
  /** Where the runs are that it is about. */
  readonly runs: readonly (readonly [id: string, path: string])[];
}

export type FromDesk =
  | { readonly kind: "answer"; readonly number: number; readonly reply: unknown }
  /** Without a status, it is our fault. */
  | { readonly kind: "failed"; readonly number: number; readonly problem: string; readonly status?: number }
  | { readonly kind: "event"; readonly event: ServerEvent };
