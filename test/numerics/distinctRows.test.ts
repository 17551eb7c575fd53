import fc from "fast-check";
import { expect, it } from "vitest";
import { countDistinct, distinctRows } from "../../src/numerics/distinctRows.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";

it("numbers equal rows alike, by the first of them; −0 is 0", () => {
  const rows = fromNumbers("float32", [5, 2], [1, 0, 2, 0, 1, -0, 3, 3, 2, 0]);
  expect([...distinctRows(rows, 3)!]).toEqual([0, 1, 0, 2, 1]);
  expect(distinctRows(rows, 2)).toBeUndefined();
  expect([countDistinct(rows, 3), countDistinct(rows, 2)]).toEqual([3, undefined]);
});

it("says the same as rows written as text", () => {
  const row = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (rows, most) => {
      const texts = rows.map((values) => values.map((value) => value + 0).join());
      const known = [...new Set(texts)];
      const expected = known.length > most ? undefined : Int32Array.from(texts, (text) => known.indexOf(text));
      expect(distinctRows(fromNumbers("float32", [rows.length, 3], rows.flat()), most)).toEqual(expected);
    }),
  );
});
