import { expect, it } from "vitest";
import { Smallest } from "../../src/numerics/smallest.ts";

it("Smallest keeps the smallest in order, of equals the first, and makes no more than it takes", () => {
  const few = new Smallest<string>(3);
  let made = 0;
  const keys = [5, 1, 3, 3, 9, 0];
  keys.forEach((key, i) => {
    few.offer(key, () => `${key} at ${i} as ${++made}`);
  });
  expect(few.items()).toEqual(["0 at 5 as 5", "1 at 1 as 2", "3 at 2 as 3"]);
  expect(new Smallest(0).items()).toEqual([]);
});
