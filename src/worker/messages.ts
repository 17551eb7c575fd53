/** What the thread that trains and the one that waits say to each other. */

import type { KnownFitOptions } from "../model/fit.ts";
import type { DeviceName } from "../runtime/device.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Epoch } from "../training/epoch.ts";
import type { PlanDescription } from "../training/plan.ts";
import type { Fit } from "../training/train.ts";

/** Options that can travel: no functions, no open handles. */
export type Portable = Omit<KnownFitOptions, "onEpoch" | "signal" | "onCheckpoint" | "device" | "method"> & {
  readonly method: string;
  readonly device?: DeviceName;
  /** Writes a checkpoint to this file, at most every so many seconds. */
  readonly checkpoint?: CheckpointFile;
};

export interface CheckpointFile {
  readonly file: string;
  /** At least so long between two; by default so that they take a twentieth of the time. */
  readonly everySeconds?: number;
}

export interface Order {
  readonly rows: Tensor<"float32">;
  readonly options: Portable;
}

export type Answer =
  | { readonly kind: "epoch"; readonly epoch: Epoch }
  | {
      readonly kind: "done";
      readonly fit: Omit<Fit, "plan">;
      readonly plan: PlanDescription;
      readonly device: DeviceName;
    }
  | { readonly kind: "failed"; readonly name: string; readonly message: string };
