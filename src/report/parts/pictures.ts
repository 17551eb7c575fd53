/** Rows that are images as pictures: PNG files inside the page. */

import { zlibSync } from "fflate";
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
  const source = `data:image/png;base64,${base64(png(pixels, width, height, channels))}`;
  // Few pixels are shown as pixels; a photograph is better smooth.
  const kind = Math.max(width, height) <= 40 ? "picture coarse" : "picture";
  return html`<img class="${kind}" src="${source}" alt="${alt}" width="${width}" height="${height}">`;
}

/** Bytes of [height, width, channels], from the row's [channels, height, width]; squares of pixels are averaged where it is too large. */
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

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** `pixels` row by row, 8 bits for each of 1 or 3 channels. */
export function png(pixels: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const header = new Uint8Array(13);
  const numbers = new DataView(header.buffer);
  numbers.setUint32(0, width);
  numbers.setUint32(4, height);
  header[8] = 8;
  header[9] = channels === 1 ? 0 : 2;
  const body = zlibSync(lines(pixels, width * channels, channels, filterFor(pixels, channels)), { level: 9 });
  return joined([signature, chunk("IHDR", header), chunk("IDAT", body), chunk("IEND", new Uint8Array(0))]);
}

/** 0, pixels as they are, where many are the same as the one before; 1, differences from it, for shades and photographs. */
function filterFor(pixels: Uint8Array, channels: number): number {
  let same = 0;
  for (let i = channels; i < pixels.length; i++) if (pixels[i] === pixels[i - channels]) same++;
  return 3 * same > pixels.length ? 0 : 1;
}

/** Each line begins with the number of its filter. */
function lines(pixels: Uint8Array, length: number, channels: number, filter: number): Uint8Array {
  const result = new Uint8Array(pixels.length + pixels.length / length);
  for (let from = 0, to = 0; from < pixels.length; from += length) {
    result[to++] = filter;
    for (let i = 0; i < length; i++) {
      result[to++] = pixels[from + i]! - (filter === 1 && i >= channels ? pixels[from + i - channels]! : 0);
    }
  }
  return result;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([Uint8Array.from(type, (letter) => letter.charCodeAt(0)), data]);
  const frame = new DataView(new ArrayBuffer(8));
  frame.setUint32(0, data.length);
  frame.setUint32(4, crc32(body));
  return joined([new Uint8Array(frame.buffer, 0, 4), body, new Uint8Array(frame.buffer, 4, 4)]);
}

/** The checksum of ISO 3309, which PNG asks for. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** Bytes as text that may stand in an attribute or an element. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  // In parts, since a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
