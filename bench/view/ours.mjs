/** Our renderer, in a page of `bench view`. */

import { fitting } from "../../src/page/points/camera.ts";
import { openPicker } from "../../src/page/points/openPicker.ts";
import { openRenderer } from "../../src/page/points/openRenderer.ts";
import { measure, palette, scene } from "./scene.mjs";

export async function run({ count, seconds, renderer }) {
  const points = scene(count);
  const canvas = document.querySelector("canvas");
  const started = performance.now();
  const size = { width: innerWidth, height: innerHeight };
  const drawing = openRenderer(canvas, () => {}, renderer);
  const colors = palette.map(([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0);
  drawing.resize(size.width, size.height, devicePixelRatio);
  drawing.place(points.x, points.y);
  drawing.color(Uint32Array.from(points.cluster, (of) => colors[of % 10]));
  const camera = fitting({ left: 0, top: 0, right: 65534, bottom: 65534 }, size);
  drawing.draw(camera, 1);
  let at = camera;
  const picker = openPicker(points.x, points.y);
  return {
    renderer: drawing.kind,
    ...(await measure({
      canvas: () => canvas,
      started,
      seconds,
      pan(step) {
        at = { ...camera, x: camera.x + 4000 * Math.sin(step / 7) };
        drawing.draw(at, 1);
      },
      async hover(left, top) {
        return (await picker).nearest(at, size, left, top);
      },
    })),
  };
}
