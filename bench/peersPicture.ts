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

function pointOf({ method, title, lines }: PeerGroup): Point[] {
  const done = lines.filter(({ scores }) => scores);
  if (done.length === 0) return [];
  return [
    {
      title: title.replace(/scikit-learn |ClustPy |, rebuilt/g, ""),
      own: peers[method]?.own === true,
      minutes: meanOf(done.map(({ seconds }) => seconds! / 60)),
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
  // A name stands to the right of its point, or left of it at the edge; one that would lie on another moves down.
  const taken: { from: number; to: number; y: number }[] = [];
  const marks = [...points]
    .sort((a, b) => b.accuracy - a.accuracy)
    .map(({ title, own, minutes, accuracy }) => {
      const [x, y, long] = [across(minutes), up(accuracy), 6.5 * title.length];
      const isLeft = x + 8 + long > width - right;
      const from = isLeft ? x - 8 - long : x + 8;
      let at = y + 4;
      while (taken.some((other) => other.from < from + long && from < other.to && Math.abs(other.y - at) < 12)) at += 1;
      taken.push({ from, to: from + long, y: at });
      const [kind, anchor] = [own ? "own" : "other", isLeft ? ' text-anchor="end"' : ""];
      const mark = `<circle class="${kind}" cx="${round(x)}" cy="${round(y)}" r="${own ? 5 : 3.5}"/>`;
      return `${mark}<text class="${kind}" x="${round(isLeft ? x - 8 : x + 8)}" y="${round(at)}"${anchor}>${title}</text>`;
    });
  return `<text x="${left}" y="18" font-weight="600">${title}: ACC over time</text>${[...vertical, ...horizontal, ...marks].join("")}`;
}

const round = (value: number): number => Math.round(10 * value) / 10;
