import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clusterColors, themeColorCount } from "../../src/report/parts/clusterColors.ts";
import { mapFrame, pointSketch, storedPoints } from "../../src/report/parts/mapPoints.ts";
import { type PagePoints, pointBytes, pointsIn } from "../../src/report/parts/pointBytes.ts";
import type { ReportMap } from "../../src/report/reportData.ts";
import { sample } from "./sample.ts";

/** The points that a page holds, taken apart as its script does. */
function pagePoints(map: ReportMap, colors: readonly number[]): PagePoints {
  const { text } = storedPoints(map, mapFrame(map), colors);
  const [, count, wide, stored] = /data-count="(\d+)" data-wide="(\d)".*>(.*)<\/script>/.exec(text)!;
  return pointsIn(Buffer.from(stored!, "base64"), Number(count), wide === "1");
}

test("the points come back from the page where they were", () => {
  const map = sample().map!;
  const frame = mapFrame(map);
  const { x, y, cluster, confidence } = pagePoints(map, [0, 1, 2]);
  expect(x.length).toBe(120);
  for (const i of [0, 1, 119]) {
    const [left, top] = frame.place(map.x[i]!, map.y[i]!);
    expect((x[i]! / 65535) * frame.width).toBeCloseTo(left, 1);
    expect((y[i]! / 65535) * frame.height).toBeCloseTo(top, 1);
    expect(cluster[i]).toBe(i % 3);
    expect(confidence[i]! / 255).toBeCloseTo(map.confidence[i]!, 2);
  }
});

test("more than 255 clusters take two bytes, and a number that no cluster has is the first beyond them", () => {
  const map = { ...sample().map!, cluster: Int32Array.from({ length: 120 }, (_, i) => (i === 0 ? -1 : 299)) };
  const { cluster } = pagePoints(map, Array<number>(300).fill(0));
  expect([cluster[0], cluster[1]]).toEqual([300, 299]);
});

test("the bytes of points: places with the low byte first, then clusters, then confidences", () => {
  const points = {
    x: Uint16Array.of(0x0102, 0xffff),
    y: Uint16Array.of(3, 0),
    cluster: Uint16Array.of(7, 9),
    confidence: Uint8Array.of(255, 128),
  };
  expect([...pointBytes(points, false)]).toEqual([2, 1, 255, 255, 3, 0, 0, 0, 7, 9, 255, 128]);
  expect([...pointBytes(points, true)]).toEqual([2, 1, 255, 255, 3, 0, 0, 0, 7, 0, 9, 0, 255, 128]);
  for (const isWide of [false, true]) expect(pointsIn(pointBytes(points, isWide), 2, isWide)).toEqual(points);
});

test("what is drawn without a script is a sample of bounded size", () => {
  const map = sample({ rows: 20_000 }).map!;
  expect(pointSketch(map, mapFrame(map), [0, 1, 2]).text.match(/M/g)!.length).toBe(4000);
});

test("equal lengths stay equal, up is up, and all lies within the margin", () => {
  const map = { ...sample().map!, x: Float32Array.of(0, 4, 0), y: Float32Array.of(0, 0, 1), centers: [] };
  const { place, width, height } = mapFrame(map);
  const [origin, right, above] = [place(0, 0), place(4, 0), place(0, 1)];
  expect(right[0] - origin[0]).toBeCloseTo(4 * (origin[1] - above[1]));
  for (const [x, y] of [origin, right, above]) {
    expect(x).toBeGreaterThanOrEqual(39.9);
    expect(x).toBeLessThanOrEqual(width - 39.9);
    expect(y).toBeGreaterThanOrEqual(39.9);
    expect(y).toBeLessThanOrEqual(height - 39.9);
  }
});

test("ten clusters have ten colors; of more, neighbours have different ones", () => {
  expect(new Set(clusterColors(10)).size).toBe(10);
  const line = Array.from({ length: 40 }, (_, j) => [j, 0] as const);
  const colors = clusterColors(40, line);
  for (let j = 1; j < 40; j++) expect(colors[j]).not.toBe(colors[j - 1]);
});

type Triple = readonly [number, number, number];

/** What the three kinds of color blindness see (Machado, Oliveira & Fernandes 2009, severity 1), on linear light. */
const sights: Readonly<Record<string, readonly number[]>> = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function through(matrix: readonly number[], [a, b, c]: Triple): Triple {
  return [0, 3, 6].map((at) => matrix[at]! * a + matrix[at + 1]! * b + matrix[at + 2]! * c) as unknown as Triple;
}

function light(hex: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Björn Ottosson's OKLab, in which equal distances look about equal. */
function oklab(color: Triple): Triple {
  const cones = through(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
      0.6299787005,
    ],
    color.map((value) => Math.min(1, Math.max(0, value))) as unknown as Triple,
  );
  return through(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662,
      -0.808675766,
    ],
    cones.map(Math.cbrt) as unknown as Triple,
  );
}

/** The blocks of theme.css, each with its properties: light, dark for the system, dark for the reader. */
const themes = readFileSync(new URL("../../src/report/browser/styles/theme.css", import.meta.url), "utf8")
  .match(/\{[^{}]*\}/g)!
  .map((block) => new Map([...block.matchAll(/([\w-]+): ([^;]*);/g)].map(([, name, value]) => [name!, value!])));

test.each(Object.keys(sights))("any two colors can be told apart with %s sight", (sight) => {
  for (const theme of themes) {
    const colors = Array.from({ length: themeColorCount }, (_, i) => theme.get(`--c${i}`)!);
    const seen = colors.map((color) => oklab(through(sights[sight]!, light(color))));
    for (const [i, a] of seen.entries()) {
      for (const b of seen.slice(0, i)) expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(0.09);
    }
  }
});

test("both themes name the same properties, and dark is the same whoever asks for it", () => {
  const [lightTheme, systemDark, chosenDark, ...others] = themes;
  expect([...systemDark!.keys()]).toEqual([...lightTheme!.keys()]);
  expect(systemDark).toEqual(chosenDark);
  expect(others).toEqual([]);
});
