/** What a machine with Node may have to run programs on. */

import { availableParallelism } from "node:os";
import type { DeviceOffer } from "./device.ts";
import { cpu, gpu } from "./native.ts";
import { webAssembly } from "./wasm.ts";

/** In the order of preference. A GPU comes last: it is asked for by name, since small networks run faster without. */
export const nodeDevices: readonly DeviceOffer[] = [cpu, webAssembly(availableParallelism()), gpu];
