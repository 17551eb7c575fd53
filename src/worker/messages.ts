/** What the thread that trains and the one that waits say to each other. */

import type { MessagePort } from "node:worker_threads";
import type { Data } from "../data/data.ts";
import type { CheckpointFile, NamedFitOptions } from "../model/fitOptions.ts";
import type { DeviceName } from "../runtime/device.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Epoch } from "../training/epoch.ts";
import type { Fit } from "../training/job.ts";
import type { PlanDescription } from "../training/plan.ts";

/** Rows that stay where they are: what they are like, and where to ask for them. */
export interface Loan extends Pick<Data, "row" | "count" | "range"> {
  readonly port: MessagePort;
}

export interface Order {
  readonly rows: Tensor<"float32"> | Loan;
  /** One of our methods by name, or a file that exports another. */
  readonly method?: string;
  readonly methodFile?: { readonly path: string; readonly sha256: string };
  readonly device?: DeviceName;
  /** Writes a checkpoint to this file, at most every so many seconds. */
  readonly checkpoint?: CheckpointFile;
  /** What else was said: no functions, no open handles. */
  readonly options: Omit<NamedFitOptions, "method" | "device" | "checkpoint">;
}

export type Answer =
  | { readonly kind: "epoch"; readonly epoch: Epoch }
  /** To be said on the other side, which knows what was said before by other threads. */
  | { readonly kind: "notice"; readonly sentence: string }
  | {
      readonly kind: "done";
      readonly fit: Omit<Fit, "plan">;
      readonly plan: PlanDescription;
      readonly device: DeviceName;
    }
  | ({ readonly kind: "failed" } & Failure);

/** What is left of an error that has travelled. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** Where it came from, for whoever asks. */
  readonly stack?: string;
}

/** Of whatever was thrown. */
export function failureOf(thrown: unknown): Failure {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, ...(stack !== undefined && { stack }) };
}

const kinds: Readonly<Record<string, ErrorConstructor>> = { RangeError, TypeError, SyntaxError };

/** What an error was over there it is here. */
export function failed({ name, message, stack }: Failure): Error {
  return Object.assign(new (kinds[name] ?? Error)(message), { name, ...(stack !== undefined && { stack }) });
}
