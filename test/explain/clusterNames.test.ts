import { describe, expect, it } from "vitest";
import { clusterNames, featureName, isTelling } from "../../src/explain/clusters/clusterNames.ts";

describe("names", () => {
  const difference = (name: string, effect: number, here = 5) => ({ feature: 0, name, here, there: 2, effect });

  it("of features are columns or places", () => {
    expect(featureName(1, [2], ["price", "weight"])).toBe("weight");
    expect(featureName(3, [8])).toBe("x[3]");
    expect(featureName(2 * 28 + 5, [1, 28, 28])).toBe("x[0,2,5]");
    expect(["price", "embedding[3]", "x[0,2,5]"].map(isTelling)).toEqual([true, false, false]);
  });

  it("of clusters say what is high and what is low, and nothing where nothing tells", () => {
    const names = clusterNames([
      [difference("price", 2), difference("weight", -1.5), difference("depth", 1.4)],
      [difference("weight", 3), difference("price", 0.6)],
      [difference("embedding[3]", 4), difference("price", 0.1)],
      [],
      [{ ...difference("city=Rome", 2, 0.9), there: 0.1 }],
      [{ ...difference("city=Rome", -2, 0.1), there: 0.9 }],
    ]);
    expect(names).toEqual([
      "high price, low weight",
      "high weight",
      "cluster 2",
      "cluster 3",
      "city=Rome",
      "not city=Rome",
    ]);
  });

  it("of clusters are never the same: one more column, or the number", () => {
    const alike = [difference("price", 2), difference("weight", -1.5)];
    expect(
      clusterNames([
        [...alike, difference("depth", 1)],
        [...alike, difference("age", 1)],
      ]),
    ).toEqual(["high price, low weight, high depth", "high price, low weight, high age"]);
    expect(clusterNames([alike, alike])).toEqual([
      "high price, low weight (cluster 0)",
      "high price, low weight (cluster 1)",
    ]);
  });
});
