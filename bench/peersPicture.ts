/** Accuracy over minutes, one panel for each data set, as an SVG that reads on light and on dark. */

import { dataSets, type PeerGroup, peers } from "./peersCells.ts";
import { meanOf } from "./records.ts";

const panel = { width: 440, height: 300, left: 44, right: 12, top: 30, bottom: 34 };

export function pictureOf(groups: readonly PeerGroup[]): string {
  const panels = Object.entries(dataSets).map(([data, title], at) => {
    const points = groups.filter((group) => group.data === data).flatMap(pointOf);
    const [x, y] = [(at % 2) * panel.width, Math.floor(at / 2) * panel.height];
    return `<g transform="translate(${x} ${y})">${panelOf(title, points)}</g>`;
  });
  const [width, height] = [2 * panel.width, 2 * panel.height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">
<title>Accuracy over minutes of Telltale and others</title>
<style>text,text.other{fill:#333}.axis{stroke:#9993;fill:none}.other{fill:#8a8f98}.own{fill:#c2410c}text.own{font-weight:600}@media (prefers-color-scheme:dark){text,text.other{fill:#ccc}.own{fill:#fb923c}}</style>
${panels.join("\n")}
</svg>
`;
}

interface Point {
  readonly title: string;
  readonly own: boolean;
  readonly minutes: number;
  readonly accuracy: number;
}

/** Nothing of a method that ran on another machine only. */
function pointOf({ method, title, lines, timed, elsewhere }: PeerGroup): Point[] {
  const done = lines.filter(({ scores }) => scores);
  if (elsewhere) return [];
  return [
    {
      title: title.replace(/scikit-learn |ClustPy |, rebuilt/g, ""),
      own: peers[method]?.own === true,
      minutes: meanOf(timed.map(({ seconds }) => seconds! / 60)),
      accuracy: 100 * meanOf(done.map(({ scores }) => scores!.accuracy)),
    },
  ];
}

/** Minutes on a logarithmic axis from a second to an hour. */
const [soonest, latest] = [1 / 60, 60];
const ticks: readonly (readonly [minutes: number, text: string])[] = [
  [1 / 60, "1 s"],
  [1 / 6, "10 s"],
  [1, "1 min"],
  [10, "10 min"],
  [60, "1 h"],
];

function panelOf(title: string, points: readonly Point[]): string {
  const [low, high] = [Math.floor(Math.min(40, ...points.map(({ accuracy }) => accuracy)) / 10) * 10, 100];
  const { width, height, left, right, top, bottom } = panel;
  const across = (minutes: number): number => {
    const share = Math.log(Math.max(soonest, minutes) / soonest) / Math.log(latest / soonest);
    return left + share * (width - left - right);
  };
  const up = (accuracy: number): number =>
    height - bottom - ((accuracy - low) / (high - low)) * (height - top - bottom);
  const vertical = ticks.map(
    ([minutes, text]) =>
      `<path class="axis" d="M${round(across(minutes))} ${top}V${height - bottom}"/><text x="${round(across(minutes))}" y="${height - bottom + 16}" text-anchor="middle">${text}</text>`,
  );
  const horizontal = Array.from({ length: (high - low) / 10 + 1 }, (_, i) => low + 10 * i).map(
    (accuracy) =>
      `<path class="axis" d="M${left} ${round(up(accuracy))}H${width - right}"/><text x="${left - 6}" y="${round(up(accuracy)) + 4}" text-anchor="end">${accuracy}</text>`,
  );
  const taken: Box[] = points.map(({ minutes, accuracy }) => around(across(minutes), up(accuracy), 5));
  // The highest names may stand in the margin.
  const inside: Box = { left, top: top - 12, right: width - right, bottom: height - bottom };
  const marks = [...points]
    .sort((a, b) => Number(b.own) - Number(a.own) || b.accuracy - a.accuracy)
    .map(({ title, own, minutes, accuracy }) => {
      const [x, y] = [across(minutes), up(accuracy)];
      const place = placeOf(x, y, (own ? 6.6 : 6.5) * title.length, { taken, inside });
      taken.push(place);
      const kind = own ? "own" : "other";
      const mark = `<circle class="${kind}" cx="${round(x)}" cy="${round(y)}" r="${own ? 5 : 3.5}"/>`;
      const at = { start: place.left, middle: (place.left + place.right) / 2, end: place.right }[place.anchor];
      return `${mark}<text class="${kind}" x="${round(at)}" y="${round(place.bottom - 3)}" text-anchor="${place.anchor}">${title}</text>`;
    });
  return `<text x="${left}" y="18" font-weight="600">${title}: ACC over time</text>${[...vertical, ...horizontal, ...marks].join("")}`;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const around = (x: number, y: number, radius: number): Box => ({
  ...{ left: x - radius, right: x + radius },
  ...{ top: y - radius, bottom: y + radius },
});

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const holds = (outer: Box, box: Box): boolean =>
  outer.left <= box.left && box.right <= outer.right && outer.top <= box.top && box.bottom <= outer.bottom;

type Place = Box & { readonly anchor: "start" | "middle" | "end" };

/** Where a name stands: the place nearest to its point, beside it first, that is on no other name and on no point. */
function placeOf(
  x: number,
  y: number,
  long: number,
  on: { readonly taken: readonly Box[]; readonly inside: Box },
): Place {
  const places = Array.from({ length: 20 }, (_, ring) => 3 * ring).flatMap((away) =>
    [-1, 1].flatMap((side): Place[] => [
      { ...textBox(x + 8, y + side * away, long), anchor: "start" },
      { ...textBox(x - 8 - long, y + side * away, long), anchor: "end" },
      { ...textBox(x - long / 2, y + side * (12 + away), long), anchor: "middle" },
    ]),
  );
  return places.find((place) => holds(on.inside, place) && !on.taken.some((other) => meet(other, place))) ?? places[0]!;
}

const textBox = (left: number, middle: number, long: number): Box => ({
  ...{ left, right: left + long },
  ...{ top: middle - 6, bottom: middle + 6 },
});

const round = (value: number): number => Math.round(10 * value) / 10;
