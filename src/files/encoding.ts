/** Text in other encodings than UTF-8: known by its bytes, and turned into UTF-8. */

import { isAscii, isUtf8 } from "node:buffer";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** For people. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252 (Latin-1)",
};

/** UTF-16 by the mark that it begins with, or by a zero in every other byte, as in western letters and digits. */
export function utf16Of(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const pairs = Math.min(head.length, 2 ** 12) >> 1;
  if (pairs < 2) return undefined;
  const zeros = [0, 0];
  for (let i = 0; i < 2 * pairs; i++) if (head[i] === 0) zeros[i % 2]!++;
  const [even, odd] = zeros as [number, number];
  if (even === 0 && odd >= 0.9 * pairs) return "utf-16le";
  return odd === 0 && even >= 0.9 * pairs ? "utf-16be" : undefined;
}

/** Bytes that Windows-1252 has no letter for. */
const noLetters = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** In bytes that are not all ASCII: so many tell enough. */
const enough = 2 ** 22;

/**
 * UTF-8 or Windows-1252, which has all of Latin-1's letters. What is a letter in the one hardly ever is one in the
 * other: a text most of whose letters are right in UTF-8 is UTF-8, with some damage. All pieces are read, which shows
 * whether what they are unpacked from is whole.
 */
export async function eightBitEncoding(name: string, pieces: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const found = { right: 0, wrong: 0, seen: 0, isNeither: false };
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = startOfLast(bytes);
    rest = bytes.slice(end);
    count(bytes.subarray(0, end), found);
  }
  count(rest, found);
  if (found.wrong <= found.right) return "utf-8";
  if (!found.isNeither) return "windows-1252";
  throw new TypeError(
    `${name}: must be text in UTF-8, UTF-16 or Windows-1252 (Latin-1), and is none of them; save it as UTF-8`,
  );
}

/** Letters beyond ASCII: those that are right in UTF-8, and bytes that are not. */
function count(bytes: Uint8Array, found: { right: number; wrong: number; seen: number; isNeither: boolean }): void {
  if (found.seen > enough || isAscii(bytes)) return;
  found.seen += bytes.length;
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i]!;
    const length = lengthOf(byte);
    const isRight = length === 1 || (length > 1 && isUtf8(bytes.subarray(i, i + length)));
    if (!isRight) {
      found.wrong++;
      found.isNeither ||= noLetters.includes(byte);
    } else if (length > 1) found.right++;
    i += isRight ? length : 1;
  }
}

/** How many bytes a letter of UTF-8 has that begins with this one; 0 where none does. */
function lengthOf(byte: number): number {
  if (byte < 0x80) return 1;
  return byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/** Where a letter begins that these bytes may have only a part of; their end where there is none. */
function startOfLast(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    if (lengthOf(bytes[bytes.length - back]!) > back) return bytes.length - back;
  }
  return bytes.length;
}

/** The same text in UTF-8, without the mark that it may begin with. */
export async function* inUtf8(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decoded = (piece?: Uint8Array): Buffer => {
    try {
      return Buffer.from(piece ? decoder.decode(piece, { stream: true }) : decoder.decode());
    } catch {
      throw new RangeError(`${name}: must be ${encodingNames[encoding]} throughout, and is damaged or cut short`);
    }
  };
  for await (const piece of pieces) yield decoded(piece);
  yield decoded();
}
