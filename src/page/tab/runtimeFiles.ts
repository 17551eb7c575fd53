/** Where ONNX Runtime finds its own files: beside the page, and nowhere else. */

import { env } from "onnxruntime-web";

/** To be called before anything runs. */
export function findRuntimeBesidePage(): void {
  const folder = new URL("../runtime/", import.meta.url);
  env.wasm.wasmPaths = {
    mjs: new URL("ort-wasm-simd-threaded.mjs", folder).href,
    wasm: new URL("ort-wasm-simd-threaded.wasm", folder).href,
  };
}
