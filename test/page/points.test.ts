/** Cameras, the order of drawing, and which point is meant: by hand. */

import { describe, expect, test } from "vitest";
import { boxOf, fitting, moved, pixelOf, placeAt, zoomed } from "../../src/page/points/camera.ts";
import { indexOf, isInside, Picker } from "../../src/page/points/picker.ts";
import { fadedFirst, mixedOrder } from "../../src/page/points/pointRenderer.ts";
import { Random } from "../../src/tensor/random.ts";

const size = { width: 400, height: 200 };

describe("a camera", () => {
  const camera = fitting(boxOf([0, 10], [0, 10]), size, 0);

  test("that holds a box shows all of it, its middle in the middle", () => {
    expect(camera).toEqual({ x: 5, y: 5, scale: 20 });
    expect(pixelOf(camera, size, 0, 0)).toEqual([100, 0]);
    expect(pixelOf(camera, size, 10, 10)).toEqual([300, 200]);
    expect(boxOf([], [])).toEqual({ left: 0, top: 0, right: 1, bottom: 1 });
  });

  test("that is dragged takes along what is under the hand", () => {
    expect(placeAt(moved(camera, 30, -10), size, 130, 90)).toEqual(placeAt(camera, size, 100, 100));
  });

  test("that zooms leaves what is under the pointer where it is", () => {
    const [x, y] = placeAt(camera, size, 130, 40);
    const [left, top] = pixelOf(zoomed(camera, size, 3, 130, 40), size, x, y);
    expect(left).toBeCloseTo(130, 9);
    expect(top).toBeCloseTo(40, 9);
  });
});

describe("the order of drawing", () => {
  test.each([0, 1, 2, 7, 100, 1001])("has each of %i points once", (count) => {
    expect(Array.from(mixedOrder(count)).sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  test("spreads any stretch of it over all of the data", () => {
    const some = mixedOrder(10_000).subarray(300, 400);
    const tenths = new Set(Array.from(some, (point) => Math.floor(point / 1000)));
    expect(tenths.size).toBe(10);
  });

  test("puts what is faded below what is not", () => {
    const colors = Uint32Array.from({ length: 9 }, (_, i) => (i % 3 === 0 ? 0x64000000 : 0xff000000));
    const order = Array.from(fadedFirst(mixedOrder(9), colors));
    expect(order.slice(0, 3).sort()).toEqual([0, 3, 6]);
    expect(order.slice(3).sort()).toEqual([1, 2, 4, 5, 7, 8]);
  });
});

describe("a picker", () => {
  const random = Random.seeded(3);
  const [x, y] = [random.uniforms(2000), random.uniforms(2000)];
  const picker = new Picker(indexOf(x, y), x, y);
  const camera = fitting(boxOf(x, y), size, 0);

  test("finds the nearest point within reach, as going through all does", () => {
    for (let i = 0; i < 50; i++) {
      const [left, top] = [100 + 200 * random.uniform(), 200 * random.uniform()];
      const [atX, atY] = placeAt(camera, size, left, top);
      const far = Array.from(x, (value, point) => Math.hypot(value - atX, y[point]! - atY));
      const least = Math.min(...far);
      const wanted = least <= 8 / camera.scale ? far.indexOf(least) : undefined;
      expect(picker.nearest(camera, size, left, top)).toBe(wanted);
    }
  });

  test("leaves out points that do not count", () => {
    const [left, top] = pixelOf(camera, size, x[5]!, y[5]!);
    expect(picker.nearest(camera, size, left, top)).toBe(5);
    expect(picker.nearest(camera, size, left, top, (point) => point !== 5)).not.toBe(5);
    expect(picker.nearest(camera, size, left, top, () => false)).toBeUndefined();
  });

  test("finds what a closed line encircles, also where it bends inwards", () => {
    const line = [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.5, 0.5],
      [0.9, 0.9],
      [0.1, 0.9],
    ] as const;
    const inside = picker.inside(line);
    expect(inside).toEqual(Array.from(x.keys()).filter((i) => isInside(line, x[i]!, y[i]!)));
    expect(isInside(line, 0.2, 0.5)).toBe(true);
    expect(isInside(line, 0.8, 0.5)).toBe(false);
    expect(picker.inside(line.slice(0, 2))).toEqual([]);
  });

  test("has nothing where there are no points", () => {
    expect(new Picker(indexOf([], []), [], []).nearest(camera, size, 1, 1)).toBeUndefined();
  });
});
