/** What a browser tab may have to run programs on. */

import type { DeviceOffer } from "./device.ts";
import { webAssembly } from "./wasm.ts";

function processors(): number {
  // Node before version 21 has no navigator.
  return (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ?? 1;
}

/** In the order of preference. */
export const browserDevices: readonly DeviceOffer[] = [webAssembly(processors())];
