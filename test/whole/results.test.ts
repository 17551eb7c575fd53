/** The figures in the docs are those of the recorded benchmark. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { defaultPages } from "../../bench/defaultPage.ts";
import { pages } from "../../bench/summary.ts";

test("tables of results are what bench/results holds; `npm run -s bench -- summary --write` renews them", async () => {
  const found = await pages();
  expect(found.size).toBeGreaterThan(8);
  for (const [file, text] of found) expect(await readFile(file, "utf8"), file).toBe(text);
});

test("docs/choice.md has the default's figures; `npm run -s bench -- default --write` renews them", async () => {
  for (const [file, text] of await defaultPages()) expect(await readFile(file, "utf8"), file).toBe(text);
});
