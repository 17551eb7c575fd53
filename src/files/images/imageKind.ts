/**
 * Which images are read, by their first bytes. sharp goes by these as well, and knows more kinds: an SVG is a program
 * that names other files, whatever it is called.
 */

import { openRegular } from "../../disk/regularFile.ts";
import { latin1Text } from "../../formats/bytes.ts";

const kinds: readonly RegExp[] = [
  /^\x89PNG\r\n/,
  /^\xff\xd8\xff/,
  /^GIF8[79]a/,
  /^RIFF....WEBP/s,
  // TIFF, and its form for large files, from either end.
  /^(II[*+]\0|MM\0[*+])/,
  // AVIF, whose first box says so.
  /^....ftyp(avif|avis|mif1|msf1|miaf)/s,
];
/** As far as a PNG's width and height. */
const longest = 24;
/** A byte of deflate becomes so many at most. */
const mostUnpacked = 1032;

/** An image that cannot be read, among others that can. */
export class BrokenImage extends RangeError {
  constructor(name: string, why: string) {
    super(`${name}: the image cannot be read (${why}); repair or remove it`);
  }
}

/** Refuses what is no image of these kinds, or cannot be what it says, before anything else looks at it. */
export async function checkImage(path: string): Promise<void> {
  const { file, size } = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longest), 0, longest, 0);
    const start = buffer.subarray(0, bytesRead);
    if (!kinds.some((kind) => kind.test(latin1Text(start)))) {
      throw new BrokenImage(path, "it does not start like PNG, JPEG, WebP, GIF, TIFF or AVIF");
    }
    if (!kinds[0]!.test(latin1Text(start)) || bytesRead < longest) return;
    const [width, height] = [start.readUInt32BE(16), start.readUInt32BE(20)];
    // A pixel has a bit at least: sharp would take memory for all of them first.
    if ((width * height) / 8 > mostUnpacked * size) {
      throw new BrokenImage(path, `${width}×${height} pixels cannot be in its ${size} bytes`);
    }
  } finally {
    await file.close();
  }
}
