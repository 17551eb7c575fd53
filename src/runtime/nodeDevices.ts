/** What a machine with Node may have to run programs on. */

import { availableParallelism } from "node:os";
import { ChildModel } from "./child/childModel.ts";
import { type Device, type DeviceOffer, once } from "./device.ts";
import { cpu, gpu } from "./native.ts";
import { webAssembly } from "./wasm.ts";

/** In the order of preference. A GPU comes last: it is asked for by name, since small networks run faster without. */
export const nodeDevices: readonly DeviceOffer[] = [cpu, webAssembly(availableParallelism()), gpu].map(apart);

/** The same device, with what is not ours in a process of its own. */
function apart({ name, find }: DeviceOffer): DeviceOffer {
  const openForeign: Device["openForeign"] = (bytes, options) => ChildModel.open(bytes, { ...options, device: name });
  return { name, find: once(async () => ({ ...(await find()), openForeign })) };
}
