/** The renderer that is fastest here. */

import { PixelPoints } from "./pixelPoints.ts";
import type { PointRenderer } from "./pointRenderer.ts";
import { WebglPoints } from "./webglPoints.ts";

/**
 * WebGL2 where a graphics processor runs it. Where it would be computed by a program, as in a virtual machine, our own
 * loop into pixels is faster (`bench view`), and needs no WebGL at all.
 */
export function openRenderer(canvas: HTMLCanvasElement, onRestore: () => void, wanted?: string): PointRenderer {
  if (wanted !== "pixels") {
    const gl = canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      preserveDrawingBuffer: false,
      failIfMajorPerformanceCaveat: wanted !== "webgl",
    });
    if (gl) return new WebglPoints(canvas, gl, onRestore);
  }
  return new PixelPoints(canvas);
}
