import fc from "fast-check";
import { expect, test } from "vitest";
import { digits } from "../../src/text/digits.ts";

test("seven digits, as toPrecision gives them and without zeros at the end", () => {
  expect([0, 1, -3, 0.5, 1200, 0.30000001192092896, -12.3456789, 1e-7, 123456789, 999999.96].map(digits)).toEqual([
    "0",
    "1",
    "-3",
    "0.5",
    "1200",
    "0.3",
    "-12.34568",
    "1e-7",
    "123456800",
    "1000000",
  ]);
});

test("the same number as toPrecision(7), for any float32, within what a halfway case may be rounded to", () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const [ours, usual] = [Number(digits(value)), Number(value.toPrecision(7))];
      expect(Math.abs(ours - usual)).toBeLessThanOrEqual(1.001e-6 * Math.abs(value));
      expect(digits(value)).toBe(String(Number(digits(value))));
    }),
    { numRuns: 5000 },
  );
});
