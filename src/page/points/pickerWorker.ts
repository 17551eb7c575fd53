/** In a thread of its own: the index of a map's points. */

import { indexOf } from "./picker.ts";

addEventListener("message", ({ data }: MessageEvent<{ x: Float32Array; y: Float32Array }>) => {
  const index = indexOf(data.x, data.y).data as ArrayBuffer;
  postMessage(index, { transfer: [index] });
});
