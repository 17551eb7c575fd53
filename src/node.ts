/** The public API in Node: everything of index.ts, with this machine's native devices. */

import { availableParallelism } from "node:os";
import type { DeviceOffer } from "./runtime/device.ts";
import { cpu, gpu } from "./runtime/native.ts";
import { webAssembly } from "./runtime/wasm.ts";

/** What may be here, in the order of preference when none is named: a GPU pays off only for large networks, so it is asked for. */
export const devices: readonly DeviceOffer[] = [cpu, webAssembly(availableParallelism()), gpu];
