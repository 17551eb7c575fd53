/**
 * The worker that trains on a GPU. It is a file of its own because ONNX Runtime's build for WebGPU writes code while it
 * starts: that is allowed here, and nowhere else.
 */

import { env } from "onnxruntime-web/webgpu";
import { besidePage } from "./runtimeFiles.ts";
import { trainHere } from "./trainHere.ts";

env.wasm.wasmPaths = besidePage("ort-wasm-simd-threaded.asyncify");
// What is computed without the GPU is small.
env.wasm.numThreads = 1;

trainHere();
