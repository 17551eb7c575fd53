/** The device that runs anywhere: ONNX Runtime compiled to WebAssembly, in the browser and in Node. */

import { threadsSaid } from "../tensor/threads.ts";
import { type Device, type DeviceOffer, once } from "./device.ts";

/** Threads need shared memory, which a page has only when it is isolated from other origins. */
const canShare = typeof SharedArrayBuffer !== "undefined";

export function webAssembly(processors: number): DeviceOffer {
  return {
    name: "wasm",
    find: once(async (): Promise<Device> => {
      const runtime = await import("onnxruntime-web");
      const threads = canShare ? Math.max(1, Math.min(4, threadsSaid() ?? processors)) : 1;
      runtime.env.wasm.numThreads = threads;
      return {
        name: "wasm",
        description: `ONNX Runtime Web ${runtime.env.versions.web}, WebAssembly, threads: ${threads}`,
        runtime,
        target: "cpu",
        options: { executionProviders: ["wasm"], graphOptimizationLevel: "all", logSeverityLevel: 3 },
        stepsPerRun: 8,
        keepsState: false,
      };
    }),
  };
}
