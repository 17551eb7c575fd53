/** regl-scatterplot, in a page of `bench view`. */

import createScatterplot from "regl-scatterplot";
import { measure, palette, scene } from "./scene.mjs";

export async function run({ count, seconds }) {
  const points = scene(count);
  const canvas = document.querySelector("canvas");
  const started = performance.now();
  const hex = (rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  const plot = createScatterplot({
    canvas,
    width: innerWidth,
    height: innerHeight,
    pointSize: 2,
    opacity: 1,
    pointColor: palette.map(hex),
    colorBy: "valueA",
  });
  await plot.draw(
    {
      x: Float32Array.from(points.x, (value) => value / 32767 - 1),
      y: Float32Array.from(points.y, (value) => value / 32767 - 1),
      valueA: points.cluster.map((of) => of % 10),
    },
    { zDataType: "categorical" },
  );
  let over;
  plot.subscribe("pointOver", (point) => over?.(point));
  return measure({
    canvas: () => canvas,
    started,
    seconds,
    pan(step) {
      plot.set({ cameraTarget: [0.12 * Math.sin(step / 7), 0] });
    },
    hover(left, top) {
      // Where nothing is under the pointer it says nothing: two frames are waited for.
      return new Promise((resolve) => {
        over = resolve;
        for (const kind of ["mouseenter", "mousemove"]) {
          canvas.dispatchEvent(new MouseEvent(kind, { clientX: left, clientY: top, bubbles: true }));
        }
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)));
      });
    },
  });
}
