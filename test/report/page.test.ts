import { describe, expect, test } from "vitest";
import { reportPage } from "../../src/report/reportPage.ts";
import { attempts, besideOf, hostileReport } from "./hostile.ts";
import { sample } from "./sample.ts";

const kinds = ["pictures", "table", "vectors"] as const;

describe.each(kinds)("a report on %s", (kind) => {
  const page = reportPage(sample({ kind }));

  test("has all its sections, each with a heading", () => {
    for (const id of ["found", "map", "clusters", "lesson", "training", "scores", "making", "use"]) {
      expect(page).toContain(`<section id="${id}" aria-labelledby="${id}-title">`);
      expect(page).toContain(`<h2 id="${id}-title">`);
    }
  });

  test("is the same for the same data", () => {
    expect(reportPage(sample({ kind }))).toBe(page);
  });

  test("asks nobody for anything", () => {
    const addresses = [...page.matchAll(/\b(?:src|href|srcset|action|poster)="([^"]*)"/g)].map((found) => found[1]!);
    expect(addresses.filter((address) => !/^(#|data:)/.test(address))).toEqual([]);
    expect(page).not.toMatch(/url\(|@import|https?:|fetch\(|XMLHttpRequest|WebSocket/);
    expect(page).toContain("default-src &#39;none&#39;");
  });

  test("has no two elements of the same id, and no link to nowhere", () => {
    const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map((found) => found[1]!);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map((found) => found[1]!);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  test("has no stray words of the code", () => {
    const words = page.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, "");
    expect(words).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\bInfinity\b/);
  });
});

describe("whatever is in the data is text", () => {
  const bad = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;
  const page = reportPage(hostileReport(bad));

  test("no element is made by it", () => {
    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("<img src=x");
    expect(page.match(/<script/g)!.length).toBe(reportPage(sample()).match(/<script/g)!.length);
  });

  test("no attribute is left by it", () => {
    // Outside of scripts and styles, a quote stands only around a value: after taking values out, no tag has one.
    const tags = page.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, "").match(/<[a-z][^>]*>/g)!;
    expect(tags.filter((tag) => /["']|onerror/.test(tag.replaceAll(/="[^"]*"/g, "")))).toEqual([]);
  });

  test("it is there to be read", () => {
    expect(page).toContain("&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).toContain("&amp;amp;");
  });
});

describe.each(Object.entries(attempts))("a report whose names are %s", (_, text) => {
  const page = reportPage(hostileReport(text));
  const tagsOf = (html: string): string[] =>
    [...html.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, "").matchAll(/<\/?[a-z0-9]+|<!--/gi)]
      .map(([tag]) => tag)
      .filter((tag) => tag !== "<wbr");

  test("has the elements of any other, and none of their own", () => {
    expect(tagsOf(page)).toEqual(tagsOf(reportPage(hostileReport("x"))));
  });

  test("has addresses of its own only, numbers alone in its styles, and no control characters", () => {
    const addresses = [...page.matchAll(/\b(?:src|href|srcset|action|poster)="([^"]*)"/g)].map((found) => found[1]!);
    expect(
      addresses.filter((address) => !/^(#[a-z0-9-]+|data:,|data:image\/png;base64,[\w+/=]+)$/.test(address)),
    ).toEqual([]);
    const styles = [...page.matchAll(/ style="([^"]*)"/g)].map((found) => found[1]!);
    expect(styles.filter((style) => !/^([a-z-]+:(var\(--c\d\)|[\d./%-]+);?)+$/.test(style))).toEqual([]);
    expect(page).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
  });
});

test("pixels do not go into a table, and pictures do", () => {
  const page = reportPage(sample({ kind: "pictures" }));
  expect(page).not.toContain('class="features"');
  expect(page.match(/<img class="picture coarse" src="data:image\/png;base64,/g)!.length).toBeGreaterThan(3 * 7);
  expect(reportPage(sample({ kind: "table" }))).not.toContain("<img");
});

test("more than 30 clusters are closed until they are opened", () => {
  expect(reportPage(sample({ clusters: 30 })).match(/<article class="card"/g)!.length).toBe(30);
  const many = reportPage(sample({ clusters: 1000, kind: "vectors", rows: 30_000 }));
  expect(many.match(/<details class="card"/g)!.length).toBe(1000);
  expect(many.length).toBeLessThan(10e6);
});

describe("what it was taught", () => {
  const { taught, ...rest } = sample();

  test("who taught, what else was tried, how well it is repeated", () => {
    const page = reportPage({ ...rest, taught: taught! });
    expect(page).toContain(
      "Taught by kmeans (on codes); repeats it on 99.0\u00a0% of 108 rows, on 97.0\u00a0% of 12 that it",
    );
    expect(page).toContain("kmeans (chosen)");
    expect(page).toContain("AUROC of 0.900");
  });

  test("labels that cannot be learned are said to be so, and a run without a lesson has no such section", () => {
    const held = { ...taught!.held!, rows: 500, agreement: 0.34, chance: 0.34 };
    const page = reportPage({ ...rest, taught: { ...taught!, teacher: "yours", from: "mine.csv", held } });
    expect(page).toContain("Taught by mine.csv");
    expect(page).toContain("These labels cannot be learned from these columns");
    expect(reportPage(rest)).not.toContain('id="lesson"');
  });
});

describe("columns that were not used to cluster", () => {
  const base = sample({ kind: "vectors", columns: ["embedding[0]", "embedding[1]"] });
  const clusters = base.clusters.map((cluster) => ({ ...cluster, namedBy: "doc", beside: besideOf("doc") }));
  const page = reportPage({ ...base, clusters });

  test("are marked as such in every card, with what they are here and elsewhere", () => {
    expect(page.split("Columns not used to cluster").length - 1).toBe(base.clusters.length);
    expect(page.split("Named by doc, not used to cluster.").length - 1).toBe(base.clusters.length);
    expect(page).toContain('<span title="in 50\u00a0% of its texts, in 10\u00a0% of others">doc</span>');
    expect(page).toContain('<td class="what">mean</td><td>3.5</td><td class="soft">1</td>');
    expect(page).toContain('<td class="what">doc</td><td>75\u00a0%</td><td class="soft">25\u00a0%</td>');
    // The fifth waits behind a fold.
    expect(page).toContain("<summary>1 more</summary>");
  });

  test("come before the places of a vector that they name better", () => {
    const card = page.slice(page.indexOf('id="cluster-0"'));
    expect(card.indexOf('class="beside"')).toBeLessThan(card.indexOf('class="features"'));
    expect(reportPage(base)).not.toContain("not used to cluster");
  });

  test("give typical rows the beginning of their text", () => {
    const typical = base.clusters[0]!.typical.map((row) => ({ ...row, text: "Return the event loop" }));
    const shown = reportPage({ ...base, clusters: [{ ...clusters[0]!, typical }, ...clusters.slice(1)] });
    expect(shown).toContain('<td class="said">Return the event loop</td>');
    // Under the name of their column, where that is known: runs of before do not have it.
    expect(shown).toContain('<th scope="col" class="said">text</th>');
    const named = { ...clusters[0]!, typical, textFrom: "doc.string" };
    expect(reportPage({ ...base, clusters: [named, ...clusters.slice(1)] })).toContain(
      '<th scope="col" class="said">doc.<wbr>string</th>',
    );
  });
});
