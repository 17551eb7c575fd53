import { expect, test } from "vitest";
import { encodePng } from "../../src/formats/png.ts";
import { decodedPng } from "../support/png.ts";

test("a PNG file holds its pixels, smooth or flat", () => {
  const smooth = Uint8Array.from({ length: 30 }, (_, i) => (i * 9) % 256);
  expect(decodedPng(encodePng(smooth, 5, 6, 1))).toEqual({ width: 5, height: 6, color: 0, pixels: [...smooth] });
  expect(decodedPng(encodePng(smooth, 5, 2, 3))).toEqual({ width: 5, height: 2, color: 2, pixels: [...smooth] });
  const flat = new Uint8Array(64).fill(7);
  expect(decodedPng(encodePng(flat, 8, 8, 1)).pixels).toEqual([...flat]);
});

test("the checksum is the one of the format", () => {
  // IEND has no data, so that its checksum is known.
  expect([...encodePng(new Uint8Array(1), 1, 1, 1).slice(-4)]).toEqual([0xae, 0x42, 0x60, 0x82]);
});
