/** deck.gl, in a page of `bench view`. */

import { Deck, OrthographicView } from "@deck.gl/core";
import { ScatterplotLayer } from "@deck.gl/layers";
import { measure, palette, scene } from "./scene.mjs";

export async function run({ count, seconds }) {
  const points = scene(count);
  const canvas = document.querySelector("canvas");
  const started = performance.now();
  const places = new Float32Array(2 * count);
  const colors = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    places.set([points.x[i] - 32767, points.y[i] - 32767], 2 * i);
    colors.set([...palette[points.cluster[i] % 10], 255], 4 * i);
  }
  const layer = new ScatterplotLayer({
    id: "points",
    data: {
      length: count,
      attributes: { getPosition: { value: places, size: 2 }, getFillColor: { value: colors, size: 4 } },
    },
    getRadius: 1,
    radiusUnits: "pixels",
    radiusMinPixels: 1,
    radiusMaxPixels: 1,
    pickable: true,
    stroked: false,
  });
  const zoom = Math.log2((Math.min(innerWidth, innerHeight) - 80) / 65534);
  let drawn;
  const deck = new Deck({
    canvas,
    width: innerWidth,
    height: innerHeight,
    views: new OrthographicView(),
    viewState: { target: [0, 0], zoom },
    layers: [layer],
    onAfterRender: () => drawn?.(),
  });
  await new Promise((resolve) => {
    drawn = resolve;
  });
  return measure({
    canvas: () => canvas,
    started,
    seconds,
    pan(step) {
      deck.setProps({ viewState: { target: [4000 * Math.sin(step / 7), 0], zoom } });
      deck.redraw("pan");
    },
    async hover(left, top) {
      const found = await deck.pickObjectAsync({ x: left, y: top, radius: 6 });
      return found?.index;
    },
  });
}
