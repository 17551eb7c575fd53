/** What is said when a training has ended. */

import { expect, test } from "vitest";
import { fittedText } from "../../src/cli/summary.ts";

const run = {
  path: "nowhere",
  description: {
    source: { name: "icons", rows: 40 },
    settings: { method: "kmeans" },
    result: { seconds: 2, measures: {}, notices: [] },
  },
};
const clusters = (...sizes: number[]) =>
  sizes.map((size, cluster) => ({ cluster, name: `cluster ${cluster}`, size, share: size / 40 }));

test("the clusters that are there are counted, and not those that were asked for", () => {
  const said = (...sizes: number[]): string =>
    fittedText(run as unknown as Parameters<typeof fittedText>[0], clusters(...sizes) as never).split("\n")[0]!;
  expect(said(20, 20)).toBe("2 clusters in 40 rows of icons, by kmeans in 2 s");
  expect(said(20, 0, 20)).toBe("2 clusters of 3 asked for in 40 rows of icons, by kmeans in 2 s");
});
