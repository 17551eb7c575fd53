/** Points as discs, blended into pixels by hand: 70,000 circles of a canvas would take seconds. */

import { farthest, type PagePoints } from "../../parts/pointBytes.ts";
import type { Color } from "./color.ts";

export interface Pixels {
  /** Red, green, blue and opacity of each pixel, line by line. */
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

export interface PaintedPoints {
  readonly points: Pick<PagePoints, "x" | "y">;
  /** In pixels. */
  readonly radius: number;
  /** Which points; the last lie above the others. */
  readonly order: Iterable<number>;
  readonly colorOf: (point: number) => Color;
  /** How much of what lies below a disc is covered by it, 0 to 1. */
  readonly opacity: number;
}

export function paintGround({ data }: Pixels, [red, green, blue]: Color): void {
  for (let at = 0; at < data.length; at += 4) {
    data[at] = red;
    data[at + 1] = green;
    data[at + 2] = blue;
    data[at + 3] = 255;
  }
}

/** No disc may reach beyond the pixels: a map's frame has a margin. */
export function paintPoints(pixels: Pixels, { points, radius, order, colorOf, opacity }: PaintedPoints): void {
  const { width, height } = pixels;
  const disc = discOf(radius, width);
  for (const point of order) {
    const row = Math.round((points.y[point]! / farthest) * (height - 1));
    const column = Math.round((points.x[point]! / farthest) * (width - 1));
    paintDisc(pixels.data, 4 * (row * width + column), disc, colorOf(point), opacity);
  }
}

/** The pixels around the middle of a disc, and how much of each it covers. */
interface Disc {
  readonly offsets: Int32Array;
  readonly covers: Float32Array;
}

function discOf(radius: number, width: number): Disc {
  const whole = Math.ceil(radius);
  const offsets: number[] = [];
  const covers: number[] = [];
  for (let y = -whole; y <= whole; y++) {
    for (let x = -whole; x <= whole; x++) {
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x, y)));
      if (cover === 0) continue;
      offsets.push(4 * (y * width + x));
      covers.push(cover);
    }
  }
  return { offsets: Int32Array.from(offsets), covers: Float32Array.from(covers) };
}

function paintDisc(
  data: Uint8ClampedArray,
  middle: number,
  { offsets, covers }: Disc,
  [red, green, blue]: Color,
  opacity: number,
): void {
  for (let i = 0; i < offsets.length; i++) {
    const at = middle + offsets[i]!;
    const share = opacity * covers[i]!;
    data[at]! += (red - data[at]!) * share;
    data[at + 1]! += (green - data[at + 1]!) * share;
    data[at + 2]! += (blue - data[at + 2]!) * share;
  }
}
