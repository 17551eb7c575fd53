/** An explanation of a picture as a picture: the row, the exemplar it is compared with, and what each pixel adds. */

import type { InputPart } from "../../explain/rows/explanation.ts";
import { encodePng } from "../../formats/png.ts";
import { arePictures, pixelsOf } from "../../report/parts/pictures.ts";

/** So many pixels for one, and between two panels. */
const [enlarged, gap] = [6, 12];
/** For the own cluster, and for the other. */
const [forOwn, forOther] = [
  [217, 95, 2],
  [29, 78, 216],
] as const;

/** Three panels side by side, as a PNG file. */
export function drawExplanation(
  row: readonly number[],
  input: InputPart,
  range: readonly [number, number],
): Uint8Array {
  const { shape, exemplar, parts } = input;
  if (!arePictures(shape)) throw new RangeError(`explain: only pictures can be drawn, got rows of shape [${shape}]`);
  const [channels, height, width] = shape as [number, number, number];
  const panels = [colors(row, shape, range), colors(exemplar, shape, range), shares(parts, channels, height * width)];
  const wide = width * panels.length * enlarged + gap * (panels.length - 1);
  const pixels = new Uint8Array(wide * height * enlarged * 3).fill(255);
  panels.forEach((panel, p) => {
    for (let y = 0; y < height * enlarged; y++) {
      for (let x = 0; x < width * enlarged; x++) {
        const from = 3 * (Math.floor(y / enlarged) * width + Math.floor(x / enlarged));
        pixels.set(panel.subarray(from, from + 3), 3 * (y * wide + p * (width * enlarged + gap) + x));
      }
    }
  });
  return encodePng(pixels, wide, height * enlarged, 3);
}

/** Red, green and blue of every pixel of a row. */
function colors(values: readonly number[], shape: readonly number[], range: readonly [number, number]): Uint8Array {
  const { pixels, channels } = pixelsOf(values, { row: shape, range }, Math.max(...shape));
  return channels === 3 ? pixels : Uint8Array.from({ length: 3 * pixels.length }, (_, i) => pixels[Math.floor(i / 3)]!);
}

/** White where a pixel adds nothing, and the stronger a color, the more it adds. */
function shares(parts: readonly number[], channels: number, pixels: number): Uint8Array {
  const sums = Array.from({ length: pixels }, (_, at) =>
    Array.from({ length: channels }, (__, c) => parts[c * pixels + at]!).reduce((a, b) => a + b, 0),
  );
  const largest = sums.reduce((most, part) => Math.max(most, Math.abs(part)), 0) || 1;
  return Uint8Array.from(
    sums.flatMap((part) => {
      const share = Math.sqrt(Math.abs(part) / largest);
      return (part > 0 ? forOwn : forOther).map((color) => Math.round(255 + share * (color - 255)));
    }),
  );
}
