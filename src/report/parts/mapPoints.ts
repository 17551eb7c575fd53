/** The map's points as a page keeps them: as bytes for its script, and a few as a drawing that needs no script. */

import type { ReportMap } from "../reportData.ts";
import { html, type Markup } from "./markup.ts";
import { base64 } from "./pictures.ts";
import { farthest, pointBytes } from "./pointBytes.ts";

/** Where the points are drawn: `width` is 1000, and a place's second number goes down, as on screens. */
export interface MapFrame {
  readonly width: number;
  readonly height: number;
  readonly place: (x: number, y: number) => readonly [left: number, top: number];
}

const width = 1000;
const margin = 40;
/** So many points are drawn where there is no script, and on paper. */
const sketched = 4000;

/** Holds all points and centers, as long both ways; never taller than wide. */
export function mapFrame({ x, y, centers }: ReportMap): MapFrame {
  const across = extent(x, centers, 0);
  const up = extent(y, centers, 1);
  const [spanX, spanY] = [across[1] - across[0] || 1, up[1] - up[0] || 1];
  const height = Math.round(width * Math.min(1, Math.max(0.56, spanY / spanX)));
  const scale = Math.min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY);
  const [middleX, middleY] = [(across[0] + across[1]) / 2, (up[0] + up[1]) / 2];
  return {
    width,
    height,
    place: (px, py) => [width / 2 + (px - middleX) * scale, height / 2 - (py - middleY) * scale],
  };
}

function extent(values: Float32Array, centers: ReportMap["centers"], axis: 0 | 1): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const look = (value: number): void => {
    if (!Number.isFinite(value)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const value of values) look(value);
  for (const center of centers) look(center[axis]);
  return low <= high ? [low, high] : [0, 1];
}

/** For the page's script. A cluster whose number has no color is drawn gray: it gets the first number beyond them. */
export function storedPoints(map: ReportMap, frame: MapFrame, colors: readonly number[]): Markup {
  const points = pointsWithPlace(map);
  const isWide = colors.length > 255;
  const share = (of: number, all: number): number => Math.round((of / all) * farthest);
  const colored = (cluster: number): number => (cluster >= 0 && cluster < colors.length ? cluster : colors.length);
  const places = Array.from(points, (i) => frame.place(map.x[i]!, map.y[i]!));
  const bytes = pointBytes(
    {
      x: Uint16Array.from(places, ([left]) => share(left, frame.width)),
      y: Uint16Array.from(places, ([, top]) => share(top, frame.height)),
      cluster: Uint16Array.from(points, (i) => colored(map.cluster[i]!)),
      confidence: Uint8Array.from(points, (i) => Math.round(255 * Math.min(1, Math.max(0, map.confidence[i] || 0)))),
    },
    isWide,
  );
  return html`<script type="application/octet-stream" id="points" data-count="${points.length}" data-wide="${
    isWide ? 1 : 0
  }" data-colors="${colors.join(" ")}">${base64(bytes)}</script>`;
}

function pointsWithPlace({ x, y }: ReportMap): Int32Array {
  return Int32Array.from(x.keys()).filter((i) => Number.isFinite(x[i]!) && Number.isFinite(y[i]!));
}

/** An even sample as one path for each color: a dot is a line of no length with round ends. */
export function pointSketch(map: ReportMap, frame: MapFrame, colors: readonly number[]): Markup {
  const points = pointsWithPlace(map);
  const step = Math.max(1, points.length / sketched);
  const paths = new Map<number, string>();
  for (let at = 0; at < points.length; at += step) {
    const point = points[Math.floor(at)]!;
    const [left, top] = frame.place(map.x[point]!, map.y[point]!);
    const color = colors[map.cluster[point]!] ?? -1;
    paths.set(color, `${paths.get(color) ?? ""}M${Math.round(left)} ${Math.round(top)}h0`);
  }
  const strokes = [...paths]
    .sort(([a], [b]) => a - b)
    .map(([color, path]) => html`<path d="${path}" stroke="var(${color < 0 ? "--soft" : `--c${color}`})"/>`);
  return html`<svg class="sketch" viewBox="0 0 ${frame.width} ${frame.height}" aria-hidden="true" fill="none" stroke-width="${
    points.length > 1500 ? 5 : 8
  }" stroke-linecap="round" stroke-opacity=".75">${strokes}</svg>`;
}
