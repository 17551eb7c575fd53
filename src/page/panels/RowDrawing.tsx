/** Numbers as a picture: a row of pixels as it is, or the parts of an explanation over it. */

import { useEffect, useRef } from "preact/hooks";

interface Given {
  /** [channels, height, width], row by row. */
  readonly values: readonly number[];
  readonly shape: readonly number[];
  /** What is black and what is white. */
  readonly range: readonly [number, number];
  readonly label: string;
  /** Of each pixel, what speaks for the cluster and what against it. */
  readonly parts?: readonly number[];
}

export function RowDrawing({ values, shape, range, label, parts }: Given) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [channels = 1, height = 1, width = 1] = shape;
  useEffect(() => {
    const context = canvas.current!.getContext("2d")!;
    const image = context.createImageData(width, height);
    paint(image.data, { values, range, channels, size: width * height, ...(parts && { parts }) });
    context.putImageData(image, 0, 0);
  }, [values, parts, width, height]);
  return <canvas ref={canvas} class="drawing" width={width} height={height} role="img" aria-label={label} />;
}

interface Painting {
  readonly values: readonly number[];
  readonly range: readonly [number, number];
  readonly channels: number;
  /** Pixels. */
  readonly size: number;
  readonly parts?: readonly number[];
}

/** Blue speaks for the cluster, orange against it; the picture itself stays faint below. */
function paint(pixels: Uint8ClampedArray, { values, range, channels, size, parts }: Painting): void {
  const scale = 255 / (range[1] - range[0] || 1);
  const [high, low] = [
    [70, 150, 255],
    [255, 140, 20],
  ] as const;
  const sums = parts && Array.from({ length: size }, (_, at) => sumOver(parts, at, size, channels));
  const most = sums ? Math.max(1e-12, ...sums.map(Math.abs)) : 1;
  for (let at = 0; at < size; at++) {
    const share = sums ? Math.min(1, Math.abs(sums[at]!) / most) ** 0.45 : 0;
    const toward = (sums?.[at] ?? 0) >= 0 ? high : low;
    for (let channel = 0; channel < 3; channel++) {
      const value = (values[Math.min(channel, channels - 1) * size + at]! - range[0]) * scale;
      const below = sums ? 0.45 * value + 20 : value;
      pixels[4 * at + channel] = below + (toward[channel]! - below) * share;
    }
    pixels[4 * at + 3] = 255;
  }
}

function sumOver(parts: readonly number[], at: number, size: number, channels: number): number {
  let sum = 0;
  for (let channel = 0; channel < channels; channel++) sum += parts[channel * size + at] ?? 0;
  return sum;
}
