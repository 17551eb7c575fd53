/** What the server and the process that fits say to each other. */

import type { FileFitOptions, Phase, RunEvent } from "../../doors/inside.ts";

/** What to do: begin, or go on. */
export type Order =
  | { readonly kind: "fit"; readonly source: string; readonly options: Omit<FileFitOptions, "signal" | "onEvent"> }
  | { readonly kind: "resume"; readonly path: string };

/** To the process; it also stops when nobody is there any more. */
export type ToProcess = Order | { readonly kind: "stop" };

export interface SentFrame {
  readonly restart: number;
  readonly phase: Phase;
  readonly epoch: number;
  readonly clusters: number;
  readonly places: Uint16Array;
  readonly labels: Uint16Array;
  /** A row for each cluster, in the data's own units. */
  readonly exemplars?: Float32Array;
}

export type FromProcess =
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "frame"; readonly frame: SentFrame }
  | { readonly kind: "done" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly problem: string };
