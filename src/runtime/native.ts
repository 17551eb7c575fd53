/**
 * The devices of ONNX Runtime's native package: this machine's processor, and any GPU that WebGPU reaches. Node only.
 */

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { threadsSaid } from "../tensor/threads.ts";
import { type Device, type DeviceOffer, once } from "./device.ts";

const cure = "install it with: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node";

type Native = typeof import("onnxruntime-node");

// ONNX Runtime writes a number of this machine, and what to send home, into the person's home unless told not to. Said
// as soon as this file is loaded: a thread has a copy of these variables, which the native code does not see.
process.env.ORT_DISABLE_TELEMETRY = "1";
process.env.ORT_TELEMETRY_DISABLED = "1";

/** Loads the native package, which npm leaves out without a word where its install script fails. */
async function load(): Promise<Native> {
  try {
    return await import("onnxruntime-node");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Only the package itself is missed in this way; a missing part of it is a module that does not load.
    const why = code === "ERR_MODULE_NOT_FOUND" ? "is not installed" : `does not load (${firstLine(message)})`;
    throw new Error(`onnxruntime-node, the fast native engine, ${why}; ${cure}`);
  }
}

export const cpu: DeviceOffer = {
  name: "cpu",
  find: once(async (): Promise<Device> => {
    const runtime = await load();
    const threads = threadsSaid() ?? availableParallelism();
    return {
      name: "cpu",
      description: `ONNX Runtime ${runtime.env.versions.node}, threads: ${threads}`,
      runtime,
      target: "cpu",
      options: {
        executionProviders: ["cpu"],
        graphOptimizationLevel: "all",
        intraOpNumThreads: threads,
        logSeverityLevel: 3,
      },
      stepsPerRun: 16,
      keepsState: false,
    };
  }),
};

export const gpu: DeviceOffer = {
  name: "gpu",
  find: once(async (): Promise<Device> => {
    const runtime = await load();
    await probe();
    return {
      name: "gpu",
      description: `ONNX Runtime ${runtime.env.versions.node}, WebGPU`,
      runtime,
      target: "gpu",
      options: {
        executionProviders: [{ name: "webgpu", validationMode: "disabled" } as { name: "webgpu" }],
        graphOptimizationLevel: "all",
        logSeverityLevel: 3,
      },
      stepsPerRun: 16,
      keepsState: true,
    };
  }),
};

/**
 * One multiplication on the GPU, in a child process: where there is no adapter, the native code writes to stderr by
 * itself.
 */
async function probe(): Promise<void> {
  const script = `
    const { InferenceSession, Tensor } = require(${JSON.stringify(createRequire(import.meta.url).resolve("onnxruntime-node"))});
    const model = Buffer.from(process.argv[1], "base64");
    InferenceSession.create(model, { executionProviders: ["webgpu"], logSeverityLevel: 4 })
      .then((session) => session.run({ x: new Tensor("float32", [2], [1]) }))
      .then(({ y }) => process.exit(y.data[0] === 4 ? 0 : 1), (error) => { console.log(error.message); process.exit(1); });`;
  try {
    await promisify(execFile)(process.execPath, ["-e", script, await squareModel()], { timeout: 60_000 });
  } catch (error) {
    // The runtime's own sentence comes after the place in its source.
    const said = firstLine((error as { stdout?: string }).stdout ?? "").replace(/^.*was false\. /, "");
    throw new Error(`WebGPU found no adapter${said ? ` (${said})` : ""}`);
  }
}

/** y = x·x as ONNX, the smallest program that shows that a device computes. */
async function squareModel(): Promise<string> {
  const { OnnxGraph } = await import("../onnx/write.ts");
  const graph = new OnnxGraph();
  graph.input("x", "float32", [1]);
  graph.output("y", graph.node("Mul", ["x", "x"]), "float32", [1]);
  return Buffer.from(graph.bytes()).toString("base64");
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
