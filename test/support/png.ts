/** PNG files read again, as far as they are written. */

import { unzlibSync } from "fflate";

/** Width, height, color type and pixels of a PNG file, for the two filters that are used. */
export function decodedPng(file: Uint8Array): { width: number; height: number; color: number; pixels: number[] } {
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
