/** The map's points as the page keeps them: whole numbers for the canvas, and a few of them as a drawing that needs no script. */

import type { ReportMap } from "../reportData.ts";
import { html, type Markup } from "./markup.ts";
import { base64 } from "./pictures.ts";

/** Where the points are drawn: `width` is 1000, and a place's second number goes down, as on screens. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly place: (x: number, y: number) => readonly [number, number];
}

const width = 1000;
const margin = 40;
/** So many points are drawn where there is no script, and on paper. */
const sampled = 4000;

/** Holds all points and centers, as long both ways; never taller than wide. */
export function frameOf({ x, y, centers }: ReportMap): Frame {
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

/** For the canvas: x and y as 16 bits of the frame, the cluster as 8 or 16 bits, the confidence as 8, each for all points in turn. */
export function packed(map: ReportMap, frame: Frame, colors: readonly number[]): Markup {
  const points = drawable(map);
  const wide = colors.length > 255;
  const positions = new Uint16Array(2 * points.length);
  const clusters = wide ? new Uint16Array(points.length) : new Uint8Array(points.length);
  const confidence = new Uint8Array(points.length);
  for (const [i, point] of points.entries()) {
    const [left, top] = frame.place(map.x[point]!, map.y[point]!);
    positions[i] = Math.round((left / frame.width) * 65535);
    positions[points.length + i] = Math.round((top / frame.height) * 65535);
    // A number that no cluster has is drawn gray.
    const cluster = map.cluster[point]!;
    clusters[i] = cluster >= 0 && cluster < colors.length ? cluster : colors.length;
    confidence[i] = Math.round(255 * Math.min(1, Math.max(0, map.confidence[point] || 0)));
  }
  const bytes = new Uint8Array([positions, clusters].reduce((sum, part) => sum + part.byteLength, points.length));
  for (const [i, value] of positions.entries()) littleEndian(bytes, 2 * i, value);
  if (wide) for (const [i, value] of clusters.entries()) littleEndian(bytes, positions.byteLength + 2 * i, value);
  else bytes.set(clusters, positions.byteLength);
  bytes.set(confidence, bytes.length - points.length);
  return html`<script type="application/octet-stream" id="points" data-count="${points.length}" data-wide="${
    wide ? 1 : 0
  }" data-colors="${colors.join(" ")}">${base64(bytes)}</script>`;
}

function littleEndian(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value & 255;
  bytes[at + 1] = value >> 8;
}

/** The points that have a place. */
function drawable({ x, y }: ReportMap): Int32Array {
  return Int32Array.from(x.keys()).filter((i) => Number.isFinite(x[i]!) && Number.isFinite(y[i]!));
}

/** An even sample as one path for each color: a dot is a line of no length with round ends. */
export function sketch(map: ReportMap, frame: Frame, colors: readonly number[]): Markup {
  const points = drawable(map);
  const step = Math.max(1, points.length / sampled);
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
