import { expect, it } from "vitest";
import { type CardData, modelCard } from "../../src/run/folder/modelCard.ts";
import { besideOf } from "../report/hostile.ts";
import { csvRun } from "./csv.ts";

const run = await csvRun("carded", { method: "tell" });
const data: CardData = { name: "sensors", description: run.description, clusters: await run.clusters() };

it("says what was found, from what, how, and how to use it", () => {
  const card = modelCard(data);
  for (const { cluster, size } of data.clusters)
    expect(card).toMatch(new RegExp(`\\| ${cluster} \\| .+ \\| ${size} \\| \\d+\\.\\d % \\|`));
  expect(card).toContain("A clustering of 120 rows into 3 groups");
  expect(card).toContain("`größe`");
  expect(card).toContain("Method **tell**");
  expect(card).toContain("seed 1");
  expect(card).toContain("np.zeros((5, 4), dtype=np.float32)");
  expect(card).toContain("(5, 3)");
  expect(card).toContain(`load("sensors")`);
  expect(card).toContain(`Made by Telltale ${run.description.telltale} on 2024-01-01 (run format 2)`);
  expect(card).not.toMatch(/undefined|NaN|\[object/);
});

it("has scores against labels only where there were any", () => {
  expect(modelCard(data)).not.toContain("Against labels");
  const scored = { ...run.description, result: { ...run.description.result, scores: { accuracy: 0.912345 } } };
  expect(modelCard({ ...data, description: scored })).toContain(
    "| accuracy | 0.9123 | The share of rows that are right",
  );
});

it("is text, whatever a stranger's run says of itself", () => {
  const bad = "x\n# title\n```\n<img src=x> [a](https://b.c) \u001b[31m `c` | d";
  const { description } = run;
  const methodFile = { file: `m ${bad}.js`, sha256: "0".repeat(64), about: bad, paper: bad };
  const card = modelCard({
    name: bad,
    clusters: data.clusters.map((cluster) => ({ ...cluster, name: bad, namedBy: bad, beside: besideOf(bad) })),
    description: {
      ...description,
      telltale: bad,
      created: bad,
      source: { ...description.source, name: bad, description: bad },
      settings: { ...description.settings, method: bad, methodFile },
      choice: { chosen: 3, reason: bad, tried: [] },
      result: { ...description.result, device: bad, notices: [bad], scores: { [bad]: 1, constructor: 1 } },
    },
  });
  const said = data.clusters.map((cluster) => ({ ...cluster, beside: besideOf("x") }));
  const usual = modelCard({ ...data, clusters: said }).split("\n");
  const fences = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("```"));
  const titles = (lines: readonly string[]): string[] => lines.filter((line) => /^#+ /.test(line)).slice(1);
  const lines = card.split("\n");
  expect(fences(lines)).toEqual(fences(usual));
  expect(titles(lines)).toEqual(titles(usual));
  expect(card).not.toMatch(/(?!\n)\p{Cc}/u);
  const prose = card
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/\\[!-/:-@[-`{-~]/g, "x")
    .replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/gs, "");
  expect(prose.replaceAll(/\[[\d,]+\]|\[n, d\]/g, "")).not.toMatch(/[<[`]|https:/);
  expect(card).not.toContain("native code");
});

it("does not take names for markup", () => {
  const clusters = data.clusters.map((cluster) => ({ ...cluster, name: "a|b `c`\n<img> *d*" }));
  const card = modelCard({ ...data, name: "my run's", clusters });
  expect(card).toContain("a\\|b \\`c\\` \\<img\\> \\*d\\*");
  expect(card).toContain("telltale assign 'my run'\\''s' new.csv");
});
