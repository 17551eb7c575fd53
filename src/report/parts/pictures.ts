/** Rows that are images as pictures: PNG files inside the page. */

import { encodePng } from "../../formats/png.ts";
import { html, type Markup } from "./markup.ts";

export interface Look {
  /** [channels, height, width] of a row, and the numbers that are black and white. */
  readonly row: readonly number[];
  readonly range: readonly [number, number];
}

/** Whether rows of this shape can be shown: one channel is gray, three are red, green and blue. */
export function arePictures(row: readonly number[]): boolean {
  return row.length === 3 && (row[0] === 1 || row[0] === 3) && row[1]! > 0 && row[2]! > 0;
}

/** The row as an `img`. Larger ones are made smaller, so that the page stays small. */
export function picture(values: readonly number[], look: Look, alt: string, largest = 96): Markup {
  const { pixels, width, height, channels } = pixelsOf(values, look, largest);
  const source = `data:image/png;base64,${base64(encodePng(pixels, width, height, channels))}`;
  // Few pixels are shown as pixels; a photograph is better smooth.
  const kind = Math.max(width, height) <= 40 ? "picture coarse" : "picture";
  return html`<img class="${kind}" src="${source}" alt="${alt}" width="${width}" height="${height}">`;
}

/**
 * Bytes of [height, width, channels], from the row's [channels, height, width]; squares of pixels are averaged where it
 * is too large.
 */
export function pixelsOf(values: readonly number[], { row, range }: Look, largest: number) {
  const [channels, tall, wide] = row as [number, number, number];
  const step = Math.ceil(Math.max(tall, wide) / largest);
  const [height, width] = [Math.ceil(tall / step), Math.ceil(wide / step)];
  const pixels = new Uint8Array(height * width * channels);
  const scale = 255 / (range[1] - range[0] || 1);
  for (let at = 0; at < pixels.length; at++) {
    const channel = at % channels;
    const left = (Math.floor(at / channels) % width) * step;
    const top = Math.floor(at / channels / width) * step;
    let [sum, seen] = [0, 0];
    for (let y = top; y < Math.min(tall, top + step); y++) {
      for (let x = left; x < Math.min(wide, left + step); x++, seen++) sum += values[(channel * tall + y) * wide + x]!;
    }
    // A decoder may draw a little beyond the data.
    pixels[at] = Math.max(0, Math.min(255, Math.round((sum / seen - range[0]) * scale)));
  }
  return { pixels, width, height, channels };
}

/** Bytes as text that may stand in an attribute or an element. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  // In parts, since a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
