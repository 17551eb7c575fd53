/** A run written down: the answers to all that the page asks of it when it is only looked at. */

import type { BinaryType } from "./routes.ts";
import type { Cell } from "./values.ts";

export interface WrittenRun {
  readonly run: string;
  /** Answers in JSON by their addresses. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Numbers by their addresses, as base64. */
  readonly numbers: Readonly<Record<string, { readonly type: BinaryType; readonly bytes: string }>>;
  /** Column by column; dates are days since 1970. */
  readonly cells: readonly (readonly Cell[])[];
  /** What each row is numbered in its file. */
  readonly fileNumbers: readonly number[];
  /** Pixels of every row from 0 to 255, as base64, where rows are pictures. */
  readonly pixels?: string;
}
