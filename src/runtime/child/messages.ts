/** What a process that runs somebody else's ONNX and its parent say to each other. */

import type { Tensor } from "../../tensor/tensor.ts";
import type { DeviceName } from "../device.ts";

export type Request =
  | { readonly kind: "open"; readonly bytes: Uint8Array; readonly device: DeviceName }
  | {
      readonly kind: "run";
      readonly id: number;
      readonly inputs: Readonly<Record<string, Tensor>>;
      readonly outputs: readonly string[];
    };

export type Reply =
  | { readonly kind: "opened"; readonly inputNames: readonly string[]; readonly outputNames: readonly string[] }
  | { readonly kind: "ran"; readonly id: number; readonly outputs: Record<string, Tensor> }
  /** Without an id: it could not be opened. */
  | { readonly kind: "failed"; readonly id?: number; readonly message: string };

/** What the watchdog writes before it ends the process. */
export const tooMuchMemory = "memory";
/** Where it writes to: the first file after those of every process and the one that these messages go through. */
export const lastWords = 4;
