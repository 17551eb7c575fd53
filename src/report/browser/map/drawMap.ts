/** A map's points on its canvas: as many pixels as the screen has, in the colors of the theme. */

import type { PagePoints } from "../../parts/pointBytes.ts";
import type { Color } from "./color.ts";
import { paintGround, paintPoints } from "./paintPoints.ts";
import { none } from "./selection.ts";
import type { ThemeColors } from "./themeColors.ts";

export type ColoredBy = "cluster" | "confidence";

export interface DrawnMap {
  readonly points: PagePoints;
  /** Which point is painted first, which last. */
  readonly order: Uint32Array;
  readonly colors: ThemeColors;
  readonly coloredBy: ColoredBy;
  /** The cluster that is shown alone, the others faded behind it; or none. */
  readonly alone: number;
}

/** Many points are small and let through what lies below. */
const looks = [
  { above: 30_000, radius: 1.1, opacity: 0.55 },
  { above: 5000, radius: 1.5, opacity: 0.7 },
  { above: 1000, radius: 2.1, opacity: 0.8 },
  { above: -1, radius: 3, opacity: 0.8 },
] as const;
const fadedOpacity = 0.6;
/** A canvas so wide has discs of just these sizes. */
const usualWidth = 760;

/** On a canvas that takes `width` × `height` of the page. */
export function drawMap(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  { points, order, colors, coloredBy, alone }: DrawnMap,
): void {
  const pen = canvas.getContext("2d", { alpha: false });
  if (!pen) return;
  const ratio = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const pixels = pen.createImageData(canvas.width, canvas.height);
  const look = looks.find(({ above }) => order.length > above)!;
  const radius = look.radius * ratio * Math.max(0.6, Math.min(1.2, width / usualWidth));

  paintGround(pixels, colors.ground);
  const isShown = (point: number): boolean => alone === none || points.cluster[point] === alone;
  const others = order.filter((point) => !isShown(point));
  paintPoints(pixels, { points, radius, order: others, colorOf: () => colors.faded, opacity: fadedOpacity });
  const colorOf = coloredBy === "cluster" ? byCluster(points, colors) : byConfidence(points, colors);
  paintPoints(pixels, { points, radius, order: order.filter(isShown), colorOf, opacity: look.opacity });
  pen.putImageData(pixels, 0, 0);
}

/** A point of no cluster is faded. */
function byCluster({ cluster }: PagePoints, { clusters, faded }: ThemeColors): (point: number) => Color {
  return (point) => clusters[cluster[point]!] ?? faded;
}

function byConfidence({ confidence }: PagePoints, { unsure, sure }: ThemeColors): (point: number) => Color {
  const between = (from: number, to: number, step: number): number => from + ((to - from) * step) / 255;
  const ramp = Array.from(
    { length: 256 },
    (_, step): Color => [
      between(unsure[0], sure[0], step),
      between(unsure[1], sure[1], step),
      between(unsure[2], sure[2], step),
    ],
  );
  return (point) => ramp[confidence[point]!]!;
}
