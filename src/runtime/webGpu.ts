/**
 * A GPU in a browser: ONNX Runtime's build for WebGPU. It is another and a larger file than the one for WebAssembly,
 * and writes code while it starts, so that whoever offers it hands out its files and allows that.
 */

import { type Device, type DeviceOffer, once } from "./device.ts";

interface Adapter {
  readonly info?: { readonly vendor: string; readonly architecture: string };
}

interface Navigating {
  readonly gpu?: { requestAdapter(): Promise<Adapter | null> };
}

export const webGpu: DeviceOffer = {
  name: "gpu",
  find: once(async (): Promise<Device> => {
    const { gpu } = (globalThis as { navigator?: Navigating }).navigator ?? {};
    if (!gpu) throw new Error("this browser has no WebGPU, or not for pages that come by plain http");
    const adapter = await gpu.requestAdapter();
    if (!adapter) throw new Error("WebGPU found no adapter");
    const runtime = await import("onnxruntime-web/webgpu");
    const { vendor = "", architecture = "" } = adapter.info ?? {};
    const named = [vendor, architecture].filter(Boolean).join(" ");
    return {
      name: "gpu",
      description: `ONNX Runtime Web ${runtime.env.versions.web}, WebGPU${named && ` (${named})`}`,
      runtime,
      target: "gpu",
      options: { executionProviders: ["webgpu"], graphOptimizationLevel: "all", logSeverityLevel: 3 },
      stepsPerRun: 16,
      keepsState: true,
    };
  }),
};
