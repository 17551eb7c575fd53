/** Which point is under the pointer, and which are inside of a drawn line. */

import KDBush from "kdbush";
import { type Camera, placeAt, type Size } from "./camera.ts";

/** A place of the map, or of the picture. */
export type Place = readonly [x: number, y: number];

/** How far from the pointer a point may be, in pixels of the page. */
const reach = 8;

export class Picker {
  readonly #index: KDBush;
  readonly #x: ArrayLike<number>;
  readonly #y: ArrayLike<number>;

  constructor(index: KDBush, x: ArrayLike<number>, y: ArrayLike<number>) {
    this.#index = index;
    this.#x = x;
    this.#y = y;
  }

  /** The point nearest to a pixel of the picture, of those that count. */
  nearest(
    camera: Camera,
    size: Size,
    left: number,
    top: number,
    counts: (point: number) => boolean = () => true,
  ): number | undefined {
    const [x, y] = placeAt(camera, size, left, top);
    // Near first: in a crowd there are thousands within reach.
    for (const pixels of [1, 3, reach]) {
      let [best, least] = [-1, Infinity];
      for (const point of this.#index.within(x, y, pixels / camera.scale)) {
        const apart = (this.#x[point]! - x) ** 2 + (this.#y[point]! - y) ** 2;
        if (apart < least && counts(point)) [best, least] = [point, apart];
      }
      if (best >= 0) return best;
    }
    return undefined;
  }

  /** The points inside of a closed line. */
  inside(line: readonly Place[], counts: (point: number) => boolean = () => true): number[] {
    if (line.length < 3) return [];
    const [across, down] = [line.map(([x]) => x), line.map(([, y]) => y)];
    const box = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)] as const;
    return this.#index
      .range(...box)
      .filter((point) => counts(point) && isInside(line, this.#x[point]!, this.#y[point]!))
      .sort((a, b) => a - b);
  }
}

/** Whether a line from the place to the right crosses the closed line an odd number of times. */
export function isInside(line: readonly Place[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, before = line.length - 1; i < line.length; before = i++) {
    const [[ax, ay], [bx, by]] = [line[i]!, line[before]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** The points by place: finds those nearby without going through all. */
export function indexOf(x: ArrayLike<number>, y: ArrayLike<number>): KDBush {
  const index = new KDBush(Math.max(1, x.length), 64, Float32Array);
  // An index of nothing is not allowed: one point that no picture reaches stands for none.
  if (x.length === 0) index.add(-1e30, -1e30);
  for (let i = 0; i < x.length; i++) index.add(x[i]!, y[i]!);
  return index.finish();
}
