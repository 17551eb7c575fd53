/** The public API in Node: everything of index.ts, with this machine's native devices. */

import { availableParallelism } from "node:os";
import type { DeviceOffer } from "./runtime/device.ts";
import { cpu, gpu } from "./runtime/native.ts";
import { webAssembly } from "./runtime/wasm.ts";

export * from "./index.ts";

/** What may be here, in the order of preference. A GPU comes last: it is asked for by name, since small networks run faster without. */
export const devices: readonly DeviceOffer[] = [cpu, webAssembly(availableParallelism()), gpu];
