/** The points of a map as the bytes that a page holds, and as its script takes them apart again. */

/** A place across the frame, or down, is a whole number from 0 to this. */
export const farthest = 65_535;

export interface PagePoints {
  /** From the left edge of the frame, and from the top. */
  readonly x: Uint16Array;
  readonly y: Uint16Array;
  readonly cluster: Uint16Array;
  /** From 0, unsure, to 255. */
  readonly confidence: Uint8Array;
}

/**
 * All x, all y, all clusters, all confidences: 16 bits for a place, the low byte first, 8 or 16 for a cluster, 8 for a
 * confidence.
 */
export function pointBytes({ x, y, cluster, confidence }: PagePoints, isWide: boolean): Uint8Array {
  const count = x.length;
  const places = 4 * count;
  const clusters = isWide ? 2 * count : count;
  const bytes = new Uint8Array(places + clusters + count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    view.setUint16(2 * i, x[i]!, true);
    view.setUint16(2 * (count + i), y[i]!, true);
    if (isWide) view.setUint16(places + 2 * i, cluster[i]!, true);
    else view.setUint8(places + i, cluster[i]!);
    view.setUint8(places + clusters + i, confidence[i]!);
  }
  return bytes;
}

/** The points whose bytes these are; `isWide` where a cluster took 16 bits. */
export function pointsIn(bytes: Uint8Array, count: number, isWide: boolean): PagePoints {
  const places = 4 * count;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = (from: number): Uint16Array =>
    Uint16Array.from({ length: count }, (_, i) => view.getUint16(from + 2 * i, true));
  return {
    x: words(0),
    y: words(2 * count),
    cluster: isWide ? words(places) : Uint16Array.from(bytes.subarray(places, places + count)),
    confidence: bytes.slice(bytes.length - count),
  };
}
