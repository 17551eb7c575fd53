/** What the server and the process that fits say to each other. */

import type { FileFitOptions, MovingFrame, RunEvent } from "../../doors/inside.ts";

/** What to do: begin, or go on. */
export type Order =
  | { readonly kind: "fit"; readonly source: string; readonly options: Omit<FileFitOptions, "signal" | "onEvent"> }
  | { readonly kind: "resume"; readonly path: string };

/** To the process; it also stops when nobody is there any more. */
export type ToProcess = Order | { readonly kind: "stop" };

export type FromProcess =
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "frame"; readonly frame: MovingFrame }
  | { readonly kind: "done" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly problem: string };
