/** What draws points: by the graphics processor where there is one, else by hand into pixels. */

import type { Camera } from "./camera.ts";

export interface PointRenderer {
  readonly kind: "webgl" | "pixels";
  /** Where the points are, in units of the map. */
  place(x: ArrayLike<number>, y: ArrayLike<number>): void;
  /** Red, green, blue and opacity of each, the lowest byte first; a point of opacity 0 is not drawn. */
  color(colors: Uint32Array): void;
  /** These once more, above the others and larger. */
  raise(points: ArrayLike<number>): void;
  /** The size of the picture in pixels of the page, and how many of the screen's go into one of those. */
  resize(width: number, height: number, ratio: number): void;
  /** `radius` in pixels of the page. At most so many points, a fair sample: for pictures that must come quickly. */
  draw(camera: Camera, radius: number, most?: number): void;
  free(): void;
}

/**
 * The order in which n points are drawn: all over the data, so that no cluster lies above the others and any m that
 * follow each other are a sample of all. Steps of n divided by the golden ratio, made a number that shares no factor
 * with n.
 */
export function mixedOrder(count: number): Uint32Array {
  let step = Math.max(1, Math.round(count / 1.618033988749895));
  while (step > 1 && commonFactor(step, count) > 1) step--;
  const order = new Uint32Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    order[i] = at;
    at += step;
    if (at >= count) at -= count;
  }
  return order;
}

function commonFactor(a: number, b: number): number {
  return b === 0 ? a : commonFactor(b, a % b);
}

/** The same order, but what is faded lies below what is not, and the last m are a sample of that. */
export function fadedFirst(order: Uint32Array, colors: Uint32Array): Uint32Array {
  const isFaded = (point: number): boolean => colors[point]! >>> 24 < 255;
  const sorted = new Uint32Array(order.length);
  const below = order.filter(isFaded);
  sorted.set(below);
  let at = below.length;
  for (const point of order) if (!isFaded(point)) sorted[at++] = point;
  return sorted;
}
