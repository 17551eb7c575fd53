/** What a run may lack: the page is still whole. */

import { expect, test } from "vitest";
import type { ReportData } from "../../src/report/reportData.ts";
import { reportPage } from "../../src/report/reportPage.ts";
import { sample } from "./sample.ts";

const full = sample();

/** Without these. */
function lacking(...names: (keyof ReportData)[]): ReportData {
  return Object.fromEntries(
    Object.entries(full).filter(([name]) => !names.includes(name as keyof ReportData)),
  ) as never;
}

function expectWhole(page: string): void {
  expect(page.startsWith("<!doctype html>")).toBe(true);
  expect(page.trimEnd().endsWith("</html>")).toBe(true);
  const words = page.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, "");
  expect(words).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\bInfinity\b/);
  for (const tag of ["section", "table", "svg", "figure", "ul", "dl", "details"]) {
    const [opened, closed] = [`<${tag}[ >]`, `</${tag}>`].map((found) => words.match(new RegExp(found, "g"))?.length);
    expect(opened, tag).toBe(closed);
  }
}

test("one cluster has nothing to be compared with", () => {
  const page = reportPage(sample({ clusters: 1 }));
  expectWhole(page);
  expect(page).toContain("One group in 40 rows.");
  expect(page).not.toContain("Easily confused");
});

test("an empty cluster is named, and has no place on the map", () => {
  const clusters = full.clusters.map((cluster, i) =>
    i === 1
      ? {
          ...cluster,
          ...{
            size: 0,
            share: 0,
            exemplar: [],
            mean: [],
            typical: [],
            borderline: [],
            distinguishing: [],
            neighbours: [],
          },
          confidence: { mean: Number.NaN, histogram: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
        }
      : cluster,
  );
  const centers = full.map!.centers.map((center, i) => (i === 1 ? ([Number.NaN, Number.NaN] as const) : center));
  const page = reportPage({ ...full, clusters, map: { ...full.map!, centers } });
  expectWhole(page);
  expect(page).toContain("2 groups in 120 rows.");
  expect(page).toContain("Cluster 1 stayed empty.");
  expect(page).toContain("No row is in this cluster.");
  expect(page).not.toContain('class="marker" href="#cluster-1"');
});

test("no clusters at all", () => {
  expectWhole(reportPage({ ...full, clusters: [] }));
});

test("no map: no section, no link to it, no script for it", () => {
  const page = reportPage(lacking("map"));
  expectWhole(page);
  expect(page).not.toContain('id="map"');
  expect(page).not.toContain('href="#map"');
  expect(page).not.toContain('id="points"');
});

test("no labels and no choice: the scores without labels stay", () => {
  const page = reportPage(lacking("scores", "choice"));
  expectWhole(page);
  expect(page).toContain("Without labels");
  expect(page).not.toContain("Against the labels");
  expect(reportPage({ ...lacking("scores", "choice"), measures: {} })).not.toContain('id="scores"');
});

test("one epoch is a dot, none is a sentence", () => {
  const one = reportPage({ ...full, epochs: full.epochs.slice(0, 1) });
  expectWhole(one);
  expect(one).toContain('class="dot kept"');
  expect(one).toContain("1 epoch in 2 restarts");
  const none = reportPage({ ...full, epochs: [], restarts: [] });
  expectWhole(none);
  expect(none).toContain("No epochs were recorded");
});

test("numbers that are none break no drawing", () => {
  const epochs = full.epochs.map((epoch) => ({ ...epoch, losses: { loss: Number.NaN } }));
  const map = { ...full.map!, x: full.map!.x.map((x, i) => (i % 2 ? Number.NaN : x)) };
  const page = reportPage({ ...full, epochs, map, measures: { silhouette: Number.NaN } });
  expectWhole(page);
  expect(page).toContain('data-count="60"');
});

test("all points in one place", () => {
  const map = {
    ...full.map!,
    x: full.map!.x.fill(3),
    y: full.map!.y.fill(3),
    centers: full.map!.centers.map(() => [3, 3] as const),
  };
  expectWhole(reportPage({ ...full, map }));
});

test("a few of many rows on the map are said to be a few", () => {
  const source = { ...full.source, rows: 1_000_000 };
  expect(reportPage({ ...full, source })).toContain("120 of 1,000,000 rows, laid out");
});

test("too many classes for a table become a list", () => {
  const page = reportPage(sample({ clusters: 60 }));
  expectWhole(page);
  expect(page).toContain("The most frequent class of each cluster");
  expect(page).not.toContain('class="confusion"');
});

test("the evidence for a number of clusters is one picture: the line, what is asked for, and what a cloud reaches", () => {
  const tried = [2, 3, 4].map((clusters) => ({
    clusters,
    scores: { predictionStrength: 1 - 0.1 * clusters, standardError: 0.01, cloudLow: 0.3, cloudHigh: 0.5 },
  }));
  const choice = { chosen: 2, reason: "between 2 and 3 clusters; 2 taken", between: [2, 3] as const, tried };
  const page = reportPage({ ...sample(), choice });
  const [, part] = page.split("The number of clusters: 2");
  expect(part).toContain("between 2 and 3 clusters; 2 taken");
  expect(part!.match(/<path class="band"/g)).toHaveLength(3);
  expect(part).toContain("Prediction strength for 3 numbers of clusters; 0.8 at 2; 0.8 is asked for");
  // Scores of the other numbers have no curves of their own.
  expect(part).not.toContain("<figcaption>standardError");
});

test("one cloud is called so", () => {
  const tried = [{ clusters: 2, scores: { predictionStrength: 0.5, standardError: 0.1 } }];
  const page = reportPage({
    ...sample({ clusters: 1 }),
    choice: { chosen: 1, reason: "one cloud: none are groups", between: [1, 1], tried },
  });
  expect(page).toContain("<h3>One cloud</h3><p>one cloud: none are groups</p>");
});
