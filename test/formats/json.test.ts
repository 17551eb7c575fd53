/** JSON of others: what is wrong with it is said in our words, and where. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "../../src/formats/json.ts";

it.each([
  ['{"a": 1,\n "b": x}', "it is no JSON"],
  ['{"a": 1,\n "b" 2}', "it is no JSON at line 2, column 6"],
  ['["a\tb"]', "it is no JSON at line 1, column 4"],
  ['{"a": [1, 2', "it is no JSON: it ends too early"],
  ["", "it is no JSON: it ends too early"],
])("%j: %s", (text, said) => {
  expect(() => parseJson(text)).toThrow(said);
});

it("whatever is no JSON ends in our words, and what is JSON is what it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        JSON.parse(text);
      } catch {
        expect(() => parseJson(text)).toThrow(/^it is no JSON(: it ends too early| at line \d+, column \d+)?$/);
      }
    }),
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("is no deeper than anything here is", () => {
  expect(parseJson("[".repeat(60) + "]".repeat(60))).toBeDefined();
  expect(() => parseJson("[".repeat(70) + "]".repeat(70))).toThrow("nested deeper than 64");
});
