/** What a card says where the usual words would read badly. */

import { expect, test } from "vitest";
import type { ClusterSummary, Difference } from "../../src/explain/clusters/clusterSummary.ts";
import { reportPage } from "../../src/report/reportPage.ts";
import { besideOf } from "./hostile.ts";
import { sample } from "./sample.ts";

const base = sample();

/** The first card of a report whose first cluster has this of its own. */
function card(own: Partial<ClusterSummary>): string {
  const [first, ...others] = base.clusters;
  const page = reportPage({ ...base, clusters: [{ ...first!, ...own }, ...others] });
  return page.slice(page.indexOf('id="cluster-0"'), page.indexOf('id="cluster-1"'));
}

test("the only cluster shows what its rows are on average, and its typical rows with their columns", () => {
  const one = sample({ clusters: 1 });
  const [only] = one.clusters;
  const page = reportPage({ ...one, clusters: [{ ...only!, distinguishing: [], mean: [21_900, 2, 3, 4.5] }] });
  expect(page).toContain('<th scope="row">price (EUR)</th><td>21,900</td>');
  expect(page).toContain('<th scope="row">seats</th><td>4.5</td>');
  expect(page.match(/<th scope="col"[^>]*>weight \(kg\)<\/th>/g)!.length).toBeGreaterThan(0);
});

test("rows that are sure of their cluster are not called in doubt", () => {
  const rows = (confidence: number) => base.clusters[0]!.borderline.map((row) => ({ ...row, confidence }));
  expect(card({ borderline: rows(0.9996) })).toContain("<caption>Least sure</caption>");
  expect(card({ borderline: rows(0.6) })).toContain("<caption>In doubt</caption>");
});

test("rows that are all the same are there once: none of them is less sure than another", () => {
  const same = base.clusters[0]!.typical.map((row) => ({ ...row, confidence: 0.99 }));
  expect(card({ typical: same, borderline: same })).not.toContain("<caption>Least sure</caption>");
  const one = same.map((row, i) => (i === 0 ? { ...row, confidence: 0.97 } : row));
  expect(card({ typical: one.toReversed(), borderline: one })).toContain("<caption>Least sure</caption>");
});

test("columns that are said to be the same here and elsewhere come last", () => {
  const said = (name: string, effect: number, ...words: [string, string]): Difference => ({
    ...{ feature: 0, name, here: 1, there: 1, effect, said: words },
  });
  const shown = card({
    distinguishing: [said("day", 0.8, "around Friday", "around Friday"), said("sex", 0.2, "male", "mostly male, 60 %")],
  });
  expect(shown.indexOf(">sex</th>")).toBeLessThan(shown.indexOf(">day</th>"));
});

test("words and long names may be broken: nothing to the right of them is hidden", () => {
  const [first] = base.clusters;
  const features = base.source.columns.map((column) => ({ kind: "number" as const, column }));
  features[0] = { kind: "ordered", column: "type.of_ship", values: ["take off", "land.ing"] } as never;
  const distinguishing = [{ feature: 0, name: "type.of_ship", here: 0, there: 1, effect: 1 }];
  const borderline = first!.borderline.map((row) => ({ ...row, values: row.values.map(() => 0), text: "a text" }));
  const page = reportPage({
    ...base,
    source: { ...base.source, features },
    clusters: [{ ...first!, distinguishing, borderline }, ...base.clusters.slice(1)],
  });
  const shown = page.slice(page.indexOf('id="cluster-0"'), page.indexOf('id="cluster-1"'));
  expect(shown).toContain('<td class="long">take off</td>');
  const landing = borderline.map((row) => ({ ...row, values: row.values.map(() => 1) }));
  const landed = reportPage({
    ...base,
    source: { ...base.source, features },
    clusters: [{ ...first!, distinguishing, borderline: landing }],
  });
  expect(landed).toContain("land.<wbr>ing</td>");
  expect(shown).toContain('<th scope="row">type.<wbr>of_<wbr>ship</th>');
  expect(shown).toContain('<th scope="col">type.<wbr>of_<wbr>ship</th>');
});

test("words of a column alone have no titles for figures", () => {
  const words = besideOf("doc").filter(({ kind }) => kind === "words");
  expect(card({ beside: words })).toContain('<thead class="unseen">');
  expect(card({ beside: besideOf("doc") })).not.toContain('<thead class="unseen">');
});

test("one far-off cluster does not make all other bars invisible", () => {
  const [first, ...others] = base.clusters;
  const far = first!.distinguishing.map((difference) => ({ ...difference, effect: 43 }));
  const page = reportPage({ ...base, clusters: [{ ...first!, distinguishing: far }, ...others] });
  const shares = [...page.matchAll(/class="diverging [^"]*" style="--share:([\d.]+)"/g)].map(([, share]) => share);
  // Beyond four deviations a bar is full; two are half of it, as they are in a report without the far-off cluster.
  expect(shares).toContain("1.000");
  expect(shares).toContain("0.500");
});

test("a value that stands for a missing one is marked, and the mark is explained", () => {
  const [first, ...others] = base.clusters;
  const typical = first!.typical.map((row) => ({ ...row, filled: row.values.map((_, i) => i) }));
  const page = reportPage({ ...base, clusters: [{ ...first!, typical }, ...others] });
  expect(page).toContain("*</i>");
  expect(page).toContain(" * marks a value that the file does not have");
  expect(reportPage(base)).not.toContain(" * marks a value");
});
