/** The PNG format, written. */

import { zlibSync } from "fflate";
import { joined, latin1Bytes } from "./bytes.ts";

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** The bytes of a PNG file: pixels row by row, 8 bits for each of 1 channel, gray, or 3, red, green and blue. */
export function encodePng(pixels: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const header = new Uint8Array(13);
  const numbers = new DataView(header.buffer);
  numbers.setUint32(0, width);
  numbers.setUint32(4, height);
  header[8] = 8;
  header[9] = channels === 1 ? 0 : 2;
  const body = zlibSync(lines(pixels, width * channels, channels, filterFor(pixels, channels)), { level: 9 });
  return joined([signature, chunk("IHDR", header), chunk("IDAT", body), chunk("IEND", new Uint8Array(0))]);
}

/** 0, pixels as they are, where many are like the one before; 1, differences from it, for shades and photographs. */
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
  const body = joined([latin1Bytes(type), data]);
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
