import { expect, test } from "vitest";
import { cellText, partText } from "../../src/page/panels/words.ts";

test("a value that the row does not have itself is said to be filled in, and stays in one line with its unit", () => {
  const part = { feature: 0, name: "gross", part: 1, value: 22_019_466, exemplar: 0 };
  expect(partText(part)).toBe("22\u00a0M");
  expect(partText({ ...part, filled: true })).toBe("22\u00a0M, filled in");
  expect(partText({ ...part, said: ["mostly M, 54 %", "F"], filled: true })).toBe("mostly M, 54\u00a0%, filled in");
});

test("of a day, midnight is not told", () => {
  expect([cellText("2009-11-20 00:00:00"), cellText("2009-11-20 08:30:00")]).toEqual([
    "2009-11-20",
    "2009-11-20 08:30:00",
  ]);
});
