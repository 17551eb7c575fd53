/** What a worker of the page may do, by the file that it is: ask where it came from, and run WebAssembly. */
export function workerPolicy(pathname: string): string {
  // Only ONNX Runtime's build for WebGPU writes code of its own.
  const writing = /\/gpuWorker-[^/]*$/.test(pathname) ? " 'unsafe-eval'" : "";
  return `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'${writing}; worker-src 'self'; connect-src 'self'; frame-ancestors 'none'`;
}
