/** What a page's script computes, apart from the page; the page itself is tested in a browser (test/whole). */

import { describe, expect, test } from "vitest";
import { colorOf } from "../../src/report/browser/map/color.ts";
import { nearestPoint } from "../../src/report/browser/map/nearestPoint.ts";
import { paintGround, paintPoints } from "../../src/report/browser/map/paintPoints.ts";
import { none, Selection } from "../../src/report/browser/map/selection.ts";

test("colors are read as the style sheet, or who bundles it, writes them", () => {
  expect(colorOf("#0b6590")).toEqual([11, 101, 144]);
  expect(colorOf("#fa3")).toEqual([255, 170, 51]);
});

describe("a point", () => {
  /** 9 × 9 pixels of one color, and one point in the middle. */
  const canvas = () => ({ data: new Uint8ClampedArray(4 * 9 * 9), width: 9, height: 9 });
  const points = { x: Uint16Array.of(32_768), y: Uint16Array.of(32_768) };
  const red = ({ data, width }: ReturnType<typeof canvas>, x: number, y: number) => data[4 * (y * width + x)];

  test("is a disc: whole in the middle, half a pixel wide at its edge, nothing beyond", () => {
    const pixels = canvas();
    paintGround(pixels, [0, 0, 0]);
    paintPoints(pixels, { points, radius: 2, order: [0], colorOf: () => [200, 0, 0], opacity: 1 });
    // How much of a pixel is covered is 2 + ½ less its distance from the middle, at most all of it.
    expect([4, 5, 6, 7, 8].map((x) => red(pixels, x, 4))).toEqual([200, 200, 100, 0, 0]);
    expect(red(pixels, 4, 2)).toBe(red(pixels, 6, 4));
  });

  test("lets through what lies below, as much as its opacity leaves", () => {
    const pixels = canvas();
    paintGround(pixels, [100, 100, 100]);
    paintPoints(pixels, { points, radius: 1, order: [0], colorOf: () => [200, 0, 100], opacity: 0.5 });
    expect([...pixels.data.slice(4 * (4 * 9 + 4), 4 * (4 * 9 + 4) + 4)]).toEqual([150, 50, 100, 255]);
  });

  test("is meant by a pointer within twelve pixels, the nearest of them", () => {
    const two = { x: Uint16Array.of(0, 65_535), y: Uint16Array.of(0, 0) };
    const box = { width: 20, height: 100 };
    expect(nearestPoint(two, { left: 9, top: 0 }, box)).toBe(0);
    expect(nearestPoint(two, { left: 11, top: 0 }, box)).toBe(1);
    expect(nearestPoint(two, { left: 0, top: 11.9 }, box)).toBe(0);
    expect(nearestPoint(two, { left: 0, top: 12 }, box)).toBe(-1);
  });
});

describe("one cluster is shown alone", () => {
  test("while it is pointed at; then the one that was pressed, until it is pressed again or let go", () => {
    let changes = 0;
    const selection = new Selection(() => changes++);
    expect(selection.alone).toBe(none);
    selection.point(2);
    selection.point(2);
    expect([selection.alone, changes]).toEqual([2, 1]);
    selection.press(1);
    expect([selection.alone, selection.pressed]).toEqual([2, 1]);
    selection.point(none);
    expect(selection.alone).toBe(1);
    selection.press(1);
    expect(selection.alone).toBe(none);
    selection.press(0);
    selection.letGo();
    expect([selection.alone, selection.pressed]).toEqual([none, none]);
    const before = changes;
    selection.letGo();
    expect(changes).toBe(before);
  });
});
