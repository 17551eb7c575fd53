import { describe, expect, test } from "vitest";
import { arePictures, base64, picture } from "../../src/report/parts/pictures.ts";
import { decodedPng } from "../support/png.ts";

const fileOf = (markup: string): Uint8Array =>
  Uint8Array.from(atob(/base64,([^"]*)/.exec(markup)![1]!), (letter) => letter.charCodeAt(0));

describe("a row", () => {
  test("goes from the smallest number, black, to the largest, white; beyond is cut", () => {
    const { text } = picture([-1, 1, 0, 9], { row: [1, 2, 2], range: [-1, 1] }, "four");
    expect(decodedPng(fileOf(text)).pixels).toEqual([0, 255, 128, 255]);
    expect(text).toContain('alt="four"');
  });

  test("has its channels side by side in the file", () => {
    const { text } = picture([1, 0, 0, 1, 0, 1], { row: [3, 1, 2], range: [0, 1] }, "");
    expect(decodedPng(fileOf(text)).pixels).toEqual([255, 0, 0, 0, 255, 255]);
  });

  test("that is large is averaged, also where the squares do not fit", () => {
    const values = [0, 1, 1, 0, 1, 1, 1, 1, 0];
    const { text } = picture(values, { row: [1, 3, 3], range: [0, 1] }, "", 2);
    expect(decodedPng(fileOf(text))).toEqual({ width: 2, height: 2, color: 0, pixels: [128, 255, 255, 0] });
  });

  test("of one value everywhere is drawn", () => {
    expect(decodedPng(fileOf(picture([5], { row: [1, 1, 1], range: [5, 5] }, "").text)).pixels).toEqual([0]);
  });
});

test("one channel or three are a picture; two, or a vector, are not", () => {
  expect([[1, 28, 28], [3, 2, 2], [2, 4, 4], [784], [28, 28]].map(arePictures)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("base64 of more bytes than a call takes", () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
  expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
});
