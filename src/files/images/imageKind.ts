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
const longest = 12;

/** Refuses what is no image of these kinds, before anything else looks at it. */
export async function checkImage(path: string): Promise<void> {
  const { file } = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longest), 0, longest, 0);
    const start = latin1Text(buffer.subarray(0, bytesRead));
    if (kinds.some((kind) => kind.test(start))) return;
  } finally {
    await file.close();
  }
  throw new RangeError(
    `${path}: the image cannot be read (it does not start like PNG, JPEG, WebP, GIF, TIFF or AVIF); repair or remove it`,
  );
}
