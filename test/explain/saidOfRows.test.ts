/** Words that were read beside the figures they come from. */

import { expect, test } from "vitest";
import type { Feature } from "../../src/data/feature.ts";
import { contrast } from "../../src/explain/clusters/contrast.ts";
import { phraseOf } from "../../src/explain/columnWords.ts";
import { wordsFor } from "../../src/explain/rows/words.ts";

test("no row is farther out than all rows of its cluster, of which it may be one", () => {
  const said = (outlier: number): string =>
    wordsFor(
      { placement: { cluster: 0, confidence: 1, second: 0, margin: 0, distance: 1, outlier } },
      { by: "distance" },
    );
  expect(said(0.97)).toContain("farther out than 97 % of its rows");
  expect(said(0.996)).toContain("farther out than nearly all of its rows");
  expect(said(1)).toContain("at least as far out as the farthest of its rows");
  expect(said(0.5)).toBe("In cluster 0, the only one.");
});

test("a value that names its column stands alone: about 2nd class", () => {
  const values = ["1st class", "2nd class", "3rd class"];
  const phrase = (column: string): string =>
    phraseOf(
      { feature: 0, name: column, here: 1.2, there: 2, effect: -1, said: ["about 2nd class", "3rd class"] },
      { kind: "ordered", column, values },
    );
  expect([phrase("class"), phrase("ticket")]).toEqual(["about 2nd class", "ticket about 2nd class"]);
});

test("two mean dates have a time of day only where they are of one day", () => {
  const features: Feature[] = [{ kind: "date", column: "sold" }];
  const said = (here: number, there: number) =>
    contrast([here], [there], { deviation: [1], row: [1], features }, 1)[0]!.said;
  expect(said(7151.43, 11_329.19)).toEqual(["1989-07-31", "2001-01-07"]);
  expect(said(7151.25, 7151.5)).toEqual(["1989-07-31 06:00", "1989-07-31 12:00"]);
});
