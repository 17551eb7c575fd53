/** Where ONNX Runtime finds its own files: beside the page, and nowhere else. */

import { env } from "onnxruntime-web";

/** The two files of one of its builds. */
export function besidePage(build: string): { mjs: string; wasm: string } {
  const folder = new URL("../runtime/", import.meta.url);
  return { mjs: new URL(`${build}.mjs`, folder).href, wasm: new URL(`${build}.wasm`, folder).href };
}

/** To be called before anything runs. */
export function findRuntimeBesidePage(): void {
  env.wasm.wasmPaths = besidePage("ort-wasm-simd-threaded");
}
