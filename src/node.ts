/** The public API in Node: everything of index.ts, with this machine's native devices. */

import { availableParallelism } from "node:os";
import type { DeviceOffer } from "./runtime/device.ts";
import { cpu, gpu } from "./runtime/native.ts";
import { webAssembly } from "./runtime/wasm.ts";
import { fitInWorker } from "./worker/fit.ts";

export { type Ids, type Loaded, type OpenOptions as OpenRowsOptions, openRows } from "./data/files/index.ts";
export * from "./index.ts";
export { readCheckpoint } from "./worker/files.ts";
export type { NodeFitOptions } from "./worker/fit.ts";
export type { CheckpointFile } from "./worker/messages.ts";

/** What may be here, in the order of preference. A GPU comes last: it is asked for by name, since small networks run faster without. */
export const devices: readonly DeviceOffer[] = [cpu, webAssembly(availableParallelism()), gpu];

/** Learns clusters, in a thread of its own. */
export const fit = fitInWorker(devices);
