/** What docs/peers.md shows is what was recorded. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cellsOf, nameOf } from "../../bench/peersCells.ts";
import { peersPages } from "../../bench/peersPage.ts";

test("figures and picture are those of bench/results; `npm run -s bench -- peers --write` renews them", async () => {
  const found = await peersPages();
  expect([...found.keys()]).toEqual(["docs/peers.md", "docs/pictures/peers.svg", "README.md"]);
  for (const [file, text] of found) expect(await readFile(file, "utf8"), file).toBe(text);
});

test("every method is dealt out with all of its seeds; of tables, networks have standardized columns alone", () => {
  const names = cellsOf(["iris"]).map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  const of = (start: string) => names.filter((name) => name.startsWith(`${start}/`)).map((name) => name.at(-1));
  expect(of("usps/kmeans")).toEqual(["1", "2", "3"]);
  expect(of("usps/dec")).toEqual(["1"]);
  expect(of("iris/telltale-normal")).toEqual(["1", "2", "3"]);
  expect([of("iris/kmeans").length, of("iris/kmeans+").length]).toEqual([3, 3]);
  expect([of("iris/idec").length, of("iris/idec+").length]).toEqual([0, 1]);
});
