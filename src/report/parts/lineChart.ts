/** Lines over whole numbers, as SVG that follows the page's colors. */

import { html, type Markup } from "./markup.ts";
import { number } from "./numbers.ts";

export interface Line {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** The one that matters; the others are thin and gray. */
  readonly kept: boolean;
}

export interface LineChart {
  readonly title: string;
  /** For those who do not see it. */
  readonly words: string;
  readonly lines: readonly Line[];
  readonly format?: (value: number) => string;
  /** What x counts, such as "epoch". */
  readonly across: string;
  /** A place on x to point out. */
  readonly mark?: number;
  /** A height to point out, such as what is asked for. */
  readonly level?: number;
  /** From where to where others reach, at some places. */
  readonly bands?: readonly { readonly x: number; readonly low: number; readonly high: number }[];
}

const [width, height] = [320, 150];
const [left, right, top, bottom] = [46, 10, 10, 24];

export function lineChart({
  title,
  words,
  lines,
  format = number,
  across,
  mark,
  level,
  bands = [],
}: LineChart): Markup {
  const points = lines.flatMap((line) => line.points).filter(([, y]) => Number.isFinite(y));
  if (points.length === 0) return html``;
  const heights = [...points.map(([, y]) => y), ...bands.flatMap(({ low, high }) => [low, high])];
  if (level !== undefined) heights.push(level);
  const xs = extremes(points.map(([x]) => x));
  const scale = scaleOf(heights);
  const place = (x: number): number =>
    left + (xs[1] > xs[0] ? (x - xs[0]) / (xs[1] - xs[0]) : 0.5) * (width - left - right);
  const rise = (y: number): number => height - bottom - scale.share(y) * (height - top - bottom);
  const ticks = scale.ticks.map(
    (tick) =>
      html`<path class="grid" d="M${left} ${rise(tick).toFixed(1)}H${width - right}"/><text x="${left - 6}" y="${(rise(tick) + 4).toFixed(1)}" text-anchor="end">${format(tick)}</text>`,
  );
  // The kept line is drawn last, above the others.
  const paths = [...lines]
    .sort((a, b) => Number(a.kept) - Number(b.kept))
    .map(({ points, kept }) => {
      const places = points.filter(([, y]) => Number.isFinite(y)).map(([x, y]) => [place(x), rise(y)] as const);
      const dots = places.length < 25 && (kept || places.length === 1);
      return html`<path class="line ${kept && "kept"}" d="${places.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("")}"/>${
        dots &&
        places.map(
          ([x, y]) =>
            html`<circle class="dot ${kept && "kept"}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${kept ? 2.6 : 2}"/>`,
        )
      }`;
    });
  const reaches = bands.map(
    ({ x, low, high }) =>
      html`<path class="band" d="M${place(x).toFixed(1)} ${rise(low).toFixed(1)}V${rise(high).toFixed(1)}"/>`,
  );
  const ends = xs[1] > xs[0] ? xs : [xs[0]];
  return html`<figure class="curve"><figcaption>${title}${scale.logarithmic && html` <span class="soft">(log scale)</span>`}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">${ticks}${
    mark !== undefined &&
    html`<path class="mark" d="M${place(mark).toFixed(1)} ${top}V${height - bottom}"/><text class="mark" x="${(place(mark) + 5).toFixed(1)}" y="${top + 8}">${number(mark)}</text>`
  }${
    level !== undefined &&
    html`<path class="mark" d="M${left} ${rise(level).toFixed(1)}H${width - right}"/><text class="mark" x="${width - right}" y="${(rise(level) - 4).toFixed(1)}" text-anchor="end">${format(level)}</text>`
  }${reaches}${paths}${ends.map(
    (x, i) =>
      html`<text x="${place(x).toFixed(1)}" y="${height - 6}" text-anchor="${ends.length === 1 ? "middle" : i === 0 ? "start" : "end"}">${i === 0 ? `${across} ` : ""}${number(x)}</text>`,
  )}</svg></figure>`;
}

interface Scale {
  readonly logarithmic: boolean;
  readonly share: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Logarithmic where the values span more than a factor of 20; else from about the smallest to about the largest. */
function scaleOf(values: readonly number[]): Scale {
  const [low, high] = extremes(values);
  if (low > 0 && high / low > 20) {
    const [from, to] = [Math.log10(low), Math.log10(high)];
    const step = Math.ceil((to - from) / 4);
    const first = Math.ceil(from);
    const ticks = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => 10 ** (first + i * step));
    return { logarithmic: true, share: (value) => (Math.log10(value) - from) / (to - from), ticks };
  }
  const step = niceStep((high - low || Math.abs(high) || 1) / 3);
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const steps = Math.max(1, Math.round((to - from) / step));
  const ticks = Array.from({ length: steps + 1 }, (_, i) => Number((from + i * step).toPrecision(12)));
  return { logarithmic: false, share: (value) => (value - from) / (to - from || 1), ticks };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((nice) => nice * power >= rough * 0.999) ?? 10);
}

function extremes(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
