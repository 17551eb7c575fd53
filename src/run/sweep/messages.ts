/** What a worker and the process that fits one of its jobs say to each other. */

import { thousands } from "../../text/thousands.ts";
import type { SweepJob } from "./sweepJob.ts";

/** What to fit, and where to. */
export interface Order {
  readonly kind: "fit";
  readonly job: SweepJob;
  readonly path: string;
  readonly pretraining?: string;
}

/** How far a fit has come: what it is at, and how much of that is done. */
export interface JobProgress {
  readonly at: string;
  readonly done: number;
  readonly total: number;
}

/** For people: clustering 3/10. Of a single piece there is no counting. */
export function progressWords({ at, done, total }: JobProgress): string {
  return total > 1 && Number.isFinite(total) ? `${at} ${thousands(done)}/${thousands(total)}` : at;
}

export type ToProcess = Order | { readonly kind: "stop" };

export type FromProcess =
  | ({ readonly kind: "progress" } & JobProgress)
  | { readonly kind: "done" }
  | { readonly kind: "stopped" }
  /** `isHere`: it is this machine, where nothing can be written, and not the job. */
  | { readonly kind: "failed"; readonly problem: string; readonly isHere: boolean };
