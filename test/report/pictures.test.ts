import { unzlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { arePictures, base64, picture, png } from "../../src/report/parts/pictures.ts";

/** Width, height, color type and pixels of a PNG file, for the two filters that are used. */
function decoded(file: Uint8Array): { width: number; height: number; color: number; pixels: number[] } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const [width, height, color] = [view.getUint32(16), view.getUint32(20), file[25]!];
  const channels = color === 2 ? 3 : 1;
  const lines = unzlibSync(file.slice(41, 41 + view.getUint32(33)));
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    const start = y * (width * channels + 1);
    for (let i = 0; i < width * channels; i++) {
      const before = lines[start] === 1 && i >= channels ? pixels.at(-channels)! : 0;
      pixels.push((lines[start + 1 + i]! + before) & 255);
    }
  }
  return { width, height, color, pixels };
}

const fileOf = (markup: string): Uint8Array =>
  Uint8Array.from(atob(/base64,([^"]*)/.exec(markup)![1]!), (letter) => letter.charCodeAt(0));

test("a PNG file holds its pixels, smooth or flat", () => {
  const smooth = Uint8Array.from({ length: 30 }, (_, i) => (i * 9) % 256);
  expect(decoded(png(smooth, 5, 6, 1))).toEqual({ width: 5, height: 6, color: 0, pixels: [...smooth] });
  expect(decoded(png(smooth, 5, 2, 3))).toEqual({ width: 5, height: 2, color: 2, pixels: [...smooth] });
  const flat = new Uint8Array(64).fill(7);
  expect(decoded(png(flat, 8, 8, 1)).pixels).toEqual([...flat]);
});

test("the checksum is the one of the format", () => {
  // IEND has no data, so that its checksum is known.
  expect([...png(new Uint8Array(1), 1, 1, 1).slice(-4)]).toEqual([0xae, 0x42, 0x60, 0x82]);
});

describe("a row", () => {
  test("goes from the smallest number, black, to the largest, white; beyond is cut", () => {
    const { text } = picture([-1, 1, 0, 9], { row: [1, 2, 2], range: [-1, 1] }, "four");
    expect(decoded(fileOf(text)).pixels).toEqual([0, 255, 128, 255]);
    expect(text).toContain('alt="four"');
  });

  test("has its channels side by side in the file", () => {
    const { text } = picture([1, 0, 0, 1, 0, 1], { row: [3, 1, 2], range: [0, 1] }, "");
    expect(decoded(fileOf(text)).pixels).toEqual([255, 0, 0, 0, 255, 255]);
  });

  test("that is large is averaged, also where the squares do not fit", () => {
    const values = [0, 1, 1, 0, 1, 1, 1, 1, 0];
    const { text } = picture(values, { row: [1, 3, 3], range: [0, 1] }, "", 2);
    expect(decoded(fileOf(text))).toEqual({ width: 2, height: 2, color: 0, pixels: [128, 255, 255, 0] });
  });

  test("of one value everywhere is drawn", () => {
    expect(decoded(fileOf(picture([5], { row: [1, 1, 1], range: [5, 5] }, "").text)).pixels).toEqual([0]);
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
