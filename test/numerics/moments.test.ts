import { describe, expect, it } from "vitest";
import { Moments } from "../../src/numerics/moments.ts";
import { expectClose } from "../support/close.ts";

describe("Moments", () => {
  it("are means and deviations, whole or put together, however large the numbers", () => {
    const rows = [1e8 + 1, 2, 1e8 + 2, 4, 1e8 + 6, 9];
    const [all, one, two] = [new Moments(2), new Moments(2), new Moments(2)];
    for (const at of [0, 2, 4]) all.add(rows, at);
    one.add(rows, 0);
    for (const at of [2, 4]) two.add(rows, at);
    const apart = all.meanWithout(one);
    one.merge(new Moments(2));
    one.merge(two);
    for (const moments of [all, one]) {
      expect(moments.count).toBe(3);
      expectClose(moments.mean, [1e8 + 3, 5], 1e-15);
      expectClose(moments.deviation(), [Math.sqrt(14 / 3), Math.sqrt(26 / 3)], 1e-9);
    }
    expectClose(apart, two.mean, 1e-12);
  });
});
