import { expect, test } from "vitest";
import { type Mark, nameSides } from "../../src/report/parts/nameSides.ts";

const mark = (left: number, top: number, name = "high price"): Mark => ({ left, top, name });

test("a name is to the right of its marker, and to the left near the right edge", () => {
  expect(nameSides([mark(100, 100), mark(900, 300)], 1000)).toEqual(["right", "left"]);
});

test("a name that would lie on another marker goes to the other side, or nowhere", () => {
  expect(nameSides([mark(400, 100), mark(500, 100, "")], 1000)).toEqual(["left", "nowhere"]);
  expect(nameSides([mark(400, 100), mark(500, 100, ""), mark(320, 100, "")], 1000)[0]).toBe("nowhere");
});

test("of two names in one place the first stays", () => {
  // 20 apart: the markers touch, and so would the names to the right of both.
  expect(nameSides([mark(100, 100), mark(110, 145), mark(90, 122)], 1000)).toEqual(["right", "right", "nowhere"]);
});

test("no name is cut off by the edge of the map", () => {
  const long = "high flipper_length_mm, low bill_depth_mm";
  expect(nameSides([mark(300, 100, long), mark(500, 300, long), mark(640, 500, long)], 1000)).toEqual([
    "right",
    "right",
    "left",
  ]);
  expect(nameSides([mark(300, 100, long)], 600)).toEqual(["nowhere"]);
});
