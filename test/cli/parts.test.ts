import { expect, test } from "vitest";
import { partsTable } from "../../src/cli/parts.ts";

test("words of the row leave room for those of the exemplar, and large numbers are told as people read them", () => {
  const genre = "mostly Original Screenplay, 54 %";
  const input = {
    ...{ start: -1, remainder: 0, complete: true, exemplar: [], exemplarFrom: "decoder" as const, parts: [] },
    features: [
      { feature: 0, name: "gross", part: 2, value: 17_896, exemplar: 20_133_000.5 },
      {
        feature: 1,
        name: "source",
        part: 1,
        value: 0,
        exemplar: 0,
        said: [genre, genre] as const,
        filled: true as const,
      },
    ],
  };
  const why = { own: 0, other: 1, margin: 2, latent: [], near: { own: [], other: [] }, input };
  const lines = partsTable(why as unknown as Parameters<typeof partsTable>[0], 10, 90).split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(90);
  expect(lines[2]).toMatch(/^gross +\+2\.0000 +17,896 +20\.1 M$/);
  // Both are cut, and neither away.
  expect(lines[3]).toMatch(/^source +\+1\.0000 +filled: mostly Original … +mostly Original Screenp\S*…$/);
});
