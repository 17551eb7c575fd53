/** Figures in prose come from records, or are said to come from elsewhere. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withFigures } from "../../bench/quoted.ts";
import { best, type Line, percent } from "../../bench/records.ts";

const line = (seed: number, accuracy: number, start: number, silhouette: number): Line => ({
  cell: `mnist/tell/practical/${seed}`,
  data: "mnist",
  seed,
  start: { accuracy: start },
  scores: { accuracy, nmi: 0.5 },
  measures: { loss: 1 - silhouette, silhouette, divergence: 0 },
  seconds: 1,
});
const lines = [line(1, 0.8, 0.7, 0.3), line(2, 0.9, 0.6, 0.2)];
const groups = new Map([["mnist/tell/practical", lines]]);

test("a figure that has drifted is put right, and a published one stays", () => {
  const text =
    "- **TELL on all of MNIST**: 11.1 on average, 22.2 for the one kept; the publication has 95.2; at the start 33.3.";
  expect(withFigures(text, groups)).toBe(
    "- **TELL on all of MNIST**: 85.0 on average, 80.0 for the one kept; the publication has 95.2; at the start 65.0.",
  );
});

test("a figure without a source is refused, and one whose record is gone", () => {
  expect(() => withFigures("- **TELL on all of MNIST**: 11.1 of 3 seeds.", groups)).toThrow(
    /has 1 figures, .* where 4 come from/,
  );
  expect(() => withFigures("- A remark with 12.3 in it.", groups)).toThrow(/has 1 figures/);
  const two = "- **TELL on raw pixels** has 55.4 (the paper: 56.2).";
  expect(() => withFigures(two, groups)).toThrow(
    /quotes mnist\/tell\/paper\/raw kept loss, of which there is no record/,
  );
});

test("the seed that a measure ranks first: the largest silhouette, the smallest loss", () => {
  expect(best(lines, "silhouette").seed).toBe(1);
  expect(best(lines, "loss").seed).toBe(1);
  expect(best([line(1, 0, 0, 0.1), line(2, 0, 0, 0.4)], "silhouette").seed).toBe(2);
});

test("the table of streams has the means of bench/results/online.jsonl", async () => {
  const text = await readFile("bench/results/online.jsonl", "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, number> & { stream: string });
  const mean = (stream: string, of: string): string => {
    const values = lines.filter((line) => line.stream === stream).map((line) => line[of]!);
    return (100 * (values.reduce((a, b) => a + b, 0) / values.length)).toFixed(1);
  };
  const page = await readFile("docs/results.md", "utf8");
  const streams = {
    steady: "as it is",
    rotated: "digits turn by 60°",
    shrunk: "digits shrink to 60 %",
    reweighted: "low digits first, high ones later",
  };
  for (const [stream, title] of Object.entries(streams)) {
    const found = ["kmeans", "tell", "kmeans last quarter", "tell last quarter"].map((of) => mean(stream, of));
    expect(page).toContain(`| ${title} | ${found.join(" | ")} |`);
  }
});

test("what is said of the demo is what bench/results/demo.json has", async () => {
  const { runs, mean } = JSON.parse(await readFile("bench/results/demo.json", "utf8")) as {
    runs: { accuracy: number }[];
    mean: number;
  };
  const page = (await readFile("docs/results.md", "utf8")).replace(/\s+/g, " ");
  const seeds = runs.map(({ accuracy }) => percent(accuracy)).join(", ");
  expect(page).toContain(`Seeds 1 to 5: ${seeds}, ${percent(mean)} on average`);
});
