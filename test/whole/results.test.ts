/** The figures in the docs are those of the recorded benchmark. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { defaultPages } from "../../bench/defaultPage.ts";
import { groupsPages } from "../../bench/groupsPage.ts";
import { pages } from "../../bench/summary.ts";

test("tables of results are what bench/results holds; `npm run -s bench -- summary --write` renews them", async () => {
  const found = await pages();
  expect(found.size).toBeGreaterThan(8);
  for (const [file, text] of found) expect(await readFile(file, "utf8"), file).toBe(text);
});

test.each([
  ["docs/choice.md", "default", defaultPages],
  ["docs/groups.md", "groups", groupsPages],
])("%s has recorded figures; `npm run -s bench -- %s --write` renews them", async (_, __, pages) => {
  for (const [file, text] of await pages()) expect(await readFile(file, "utf8"), file).toBe(text);
});
