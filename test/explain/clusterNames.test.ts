import { describe, expect, it } from "vitest";
import { type Feature, featureName } from "../../src/data/feature.ts";
import { clusterNames, featuresOf, isTelling, nameAt } from "../../src/explain/clusters/clusterNames.ts";
import type { Difference } from "../../src/explain/clusters/clusterSummary.ts";

describe("names", () => {
  const features: readonly Feature[] = [
    ...featuresOf(["price", "weight", "depth", "age", "a=b"]),
    { kind: "element", column: "embedding", index: 3 },
    { kind: "category", column: "city", value: "Rome" },
  ];
  const difference = (name: string, effect: number) => {
    const feature = features.findIndex((each) => featureName(each) === name);
    return { feature, name, here: 5, there: 2, effect };
  };
  const named = (distinguishing: readonly Difference[][]) =>
    clusterNames({ distinguishing, features }).map(({ name }) => name);

  it("of features are columns or places", () => {
    expect(nameAt(1, [2], features)).toBe("weight");
    expect(nameAt(5, [7], features)).toBe("embedding[3]");
    expect(nameAt(3, [8])).toBe("x[3]");
    expect(nameAt(2 * 28 + 5, [1, 28, 28])).toBe("x[0,2,5]");
    expect(features.map(isTelling)).toEqual([true, true, true, true, true, false, true]);
    expect([isTelling({ kind: "number", column: "x[3]" }), isTelling(undefined)]).toEqual([true, false]);
  });

  it("of clusters say what is high and what is low, and nothing where nothing tells", () => {
    const names = named([
      [difference("price", 2), difference("weight", -1.5), difference("depth", 1.4)],
      [difference("weight", 3), difference("price", 0.6)],
      [difference("embedding[3]", 4), difference("price", 0.1)],
      [],
      [difference("city=Rome", 2)],
      [difference("city=Rome", -2)],
      [difference("a=b", -2)],
    ]);
    expect(names).toEqual([
      "high price, low weight",
      "high weight",
      "cluster 2",
      "cluster 3",
      "city Rome",
      "not city Rome",
      "low a=b",
    ]);
  });

  it("of clusters are never the same: one more column, or the number", () => {
    const alike = [difference("price", 2), difference("weight", -1.5)];
    expect(
      named([
        [...alike, difference("depth", 1)],
        [...alike, difference("age", 1)],
      ]),
    ).toEqual(["high price, low weight, high depth", "high price, low weight, high age"]);
    expect(named([alike, alike])).toEqual(["high price, low weight (cluster 0)", "high price, low weight (cluster 1)"]);
  });

  it("of clusters are not the same words in another order: what tells the two apart is added", () => {
    const one = [difference("price", 2), difference("weight", -1.9)];
    const other = [difference("weight", -2), difference("price", 1.8)];
    const apart = (cluster: number) => [difference("age", cluster === 0 ? 0.4 : -0.4)];
    const names = clusterNames({ distinguishing: [one, other], features, apart });
    expect(names.map(({ name }) => name)).toEqual([
      "high price, low weight, higher age",
      "low weight, high price, lower age",
    ]);
    // Nothing tells them apart: their numbers do.
    expect(named([one, other])).toEqual(["high price, low weight (cluster 0)", "low weight, high price (cluster 1)"]);
  });

  it("of clusters are not the same but for a degree: what tells the two apart is added", () => {
    const sized: readonly Feature[] = [
      { kind: "ordered", column: "size", values: ["S", "M", "L"] },
      { kind: "category", column: "city", value: "Rome" },
      { kind: "number", column: "age" },
    ];
    const size = (said: string) => ({
      ...{ feature: 0, name: "size", here: 2, there: 0, effect: 2 },
      said: [said, "S"] as [string, string],
    });
    const city = (here: number) => ({ feature: 1, name: "city", here, there: 0, effect: 2 });
    const apart = (cluster: number) => [
      { feature: 2, name: "age", here: 0, there: 0, effect: cluster % 2 === 0 ? 0.4 : -0.4 },
    ];
    const distinguishing = [[size("L")], [size("about L")], [city(0.7)], [city(0.4)]];
    expect(clusterNames({ distinguishing, features: sized, apart }).map(({ name }) => name)).toEqual([
      "size L, higher age",
      "size about L, lower age",
      "city mostly Rome, higher age",
      "city often Rome, lower age",
    ]);
  });

  it("of a cluster like the mean of all say in what it is in the middle of others", () => {
    const near = [difference("weight", 0.2), difference("price", 0.1), difference("depth", 0.1)];
    const others = [
      [difference("price", 2), difference("depth", 1)],
      [difference("price", -2), difference("weight", 1)],
    ];
    expect(named([near, ...others])[0]).toBe("medium price");
    // Where all others are on one side it is in no middle.
    expect(named([near, others[0]!])[0]).toBe("cluster 0");
  });

  it("of clusters are from other columns where no feature tells, marked, and distinct as well", () => {
    const words = (...all: string[]) => [
      { kind: "words" as const, column: "doc", words: all.map((word) => ({ word, here: 0.5, there: 0, score: 1 })) },
    ];
    const place = difference("embedding[3]", 4);
    const beside = [
      words("red", "coin", "gold", "rim"),
      words("gold", "red", "coin", "edge"),
      words("sky"),
      [],
      words("x"),
    ];
    const distinguishing = [[place], [place], [place], [place], [difference("price", 2)]];
    expect(clusterNames({ distinguishing, features, beside })).toEqual([
      { name: "red, coin, gold, rim", namedBy: "doc" },
      { name: "gold, red, coin, edge", namedBy: "doc" },
      { name: "sky", namedBy: "doc" },
      { name: "cluster 3" },
      { name: "high price" },
    ]);
    // What all rows say tells no cluster from another: the only one has no name of words.
    expect(clusterNames({ distinguishing: [[]], features, beside: [words("gold")] })).toEqual([{ name: "cluster 0" }]);
  });
});
