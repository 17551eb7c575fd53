/** A column weighs as one column, whatever it becomes. */

import { describe, expect, it } from "vitest";
import { checkWeights, columnScaling } from "../../src/data/columnScaling.ts";
import { inMemory } from "../../src/data/data.ts";
import type { Feature } from "../../src/data/feature.ts";
import { relationsOf } from "../../src/data/relations.ts";
import { scaledRows, standardScaling } from "../../src/data/scaling.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";

const number = (column: string): Feature => ({ kind: "number", column });
const category = (value: string): Feature => ({ kind: "category", column: "city", value });
const week = (part: "sin" | "cos"): Feature => ({ kind: "cycle", column: "day", period: "week", part });
const features: Feature[] = [
  number("price"),
  ...["Bonn", "Oslo", "Rome"].map(category),
  { kind: "other", column: "city", except: ["Bonn", "Oslo", "Rome"] },
  { kind: "boolean", column: "open" },
  { kind: "date", column: "day" },
  ...[week("sin"), week("cos")],
  { kind: "count", column: "visits" },
];
const width = features.length;

const random = Random.seeded(4);
const rows = fromNumbers(
  "float32",
  [300, width],
  Array.from({ length: 300 }, (_, i) => {
    const [price, tail] = random.normals(2) as unknown as [number, number];
    const city = [0, 0, 0, 0, 1, 1, 2, 3][i % 8]!;
    const circle = (2 * Math.PI * i) / 7;
    return [
      1000 + 250 * price,
      ...[0, 1, 2, 3].map((each) => Number(each === city)),
      Number(i % 10 === 0),
      19_000 + i,
      ...[Math.sin(circle), Math.cos(circle)],
      Math.round(Math.exp(2 + 1.5 * tail)),
    ];
  }).flat(),
);

/** The variance of each number of rows. */
function variances({ data, shape }: Tensor<"float32">): number[] {
  const [n, d] = shape as [number, number];
  return Array.from({ length: d }, (_, c) => {
    const values = Array.from({ length: n }, (_, i) => data[i * d + c]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n;
  });
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

describe("columns of different kinds", () => {
  const alike = { city: 1, open: 1 };

  it("have a variance of their weight in all, however many values or parts they have", async () => {
    const { scaling } = await columnScaling(inMemory(rows), features, alike);
    const found = variances(scaledRows(rows, scaling));
    expect(found[0]).toBeCloseTo(1, 4);
    expect(total(found.slice(1, 5))).toBeCloseTo(1, 4);
    expect(found[5]).toBeCloseTo(1, 4);
    // Half of it is when, half where in the week.
    expect(found[6]).toBeCloseTo(0.5, 3);
    expect(total(found.slice(7, 9))).toBeCloseTo(0.5, 4);
    expect(found[9]).toBeCloseTo(1, 4);
    // The values of a category keep their proportions: one factor for all.
    expect(new Set(scaling.factor.slice(1, 5)).size).toBe(1);
  });

  it("weigh as much as somebody says", async () => {
    const { scaling } = await columnScaling(inMemory(rows), features, { city: 3, price: 0.25 });
    const found = variances(scaledRows(rows, scaling));
    expect(found[0]).toBeCloseTo(0.25, 4);
    expect(total(found.slice(1, 5))).toBeCloseTo(3, 4);
    expect(() => checkWeights("fit", features, { town: 2 })).toThrow(
      'fit: weight must name columns that are learned from, got "town"; these are price, city, open, day, visits',
    );
    expect(() => checkWeights("fit", features, { city: 0 })).toThrow("must be a number above 0, city has 0");
  });

  it("tell which numbers are shares, and what a nat of surprise costs", async () => {
    const { shares } = await columnScaling(inMemory(rows), features, alike);
    expect(shares.map(({ first, count }) => [first, count])).toEqual([
      [1, 4],
      [5, 1],
    ]);
    const entropy = (p: readonly number[]) => total(p.map((each) => -each * Math.log(each)));
    expect(1 / shares[1]!.weight).toBeCloseTo(entropy([0.1, 0.9]), 6);
  });

  it("take counts with a long tail by their logarithms", async () => {
    const { scaling } = await columnScaling(inMemory(rows), features);
    expect(scaling.logarithm).toEqual([...Array(9).fill(0), 1]);
    const largest = Math.max(...Array.from({ length: 300 }, (_, i) => scaledRows(rows, scaling).data[i * width + 9]!));
    expect(largest).toBeLessThan(5);
  });

  it("that are numbers are scaled as standard scaling does", async () => {
    const numbers = tensor("float32", [100, 3], Random.seeded(1).normals(300));
    const { shares, ...found } = await columnScaling(inMemory(numbers), ["a", "b", "c"].map(number));
    expect(shares).toEqual([]);
    const standard = await standardScaling(inMemory(numbers));
    expect(found.scaling.shift).toEqual(standard.scaling.shift);
    for (const [i, factor] of found.scaling.factor.entries()) {
      expect(factor).toBeCloseTo(standard.scaling.factor[i]!, 12);
    }
  });
});

it("a text that has an order weighs as one that has none: as often as two rows differ in it", async () => {
  const size: Feature = { kind: "ordered", column: "size", values: ["small", "medium", "large"] };
  // Half are small, a quarter is medium, a quarter large: 1 − (4 + 1 + 1)/16.
  const sizes = [0, 0, 1, 2].flatMap((place, i) => [10 * i + place, place]);
  const rows = fromNumbers("float32", [40, 2], Array.from({ length: 10 }, () => sizes).flat());
  const { scaling, shares } = await columnScaling(inMemory(rows), [number("price"), size]);
  expect(variances(scaledRows(rows, scaling))[1]).toBeCloseTo(10 / 16, 5);
  expect(shares).toEqual([]);
  const said = await columnScaling(inMemory(rows), [number("price"), size], { size: 2 });
  expect(variances(scaledRows(rows, said.scaling))[1]).toBeCloseTo(2, 4);
});

describe("what goes with a category", () => {
  const same = (value: number): number => value;
  const category = (column: string, value: string): Feature => ({ kind: "category", column, value });
  const table: Feature[] = [
    number("size"),
    ...["a", "b", "c"].map((value) => category("kind", value)),
    ...["x", "y"].map((value) => category("half", value)),
    { kind: "boolean", column: "coin" },
  ];
  const noise = Random.seeded(2).normals(600);
  const sorted = fromNumbers(
    "float32",
    [600, 7],
    Array.from({ length: 600 }, (_, i) => {
      const kind = Math.floor(i / 200);
      const half = Number(kind === 2);
      const indicators = [0, 1, 2].map((each) => Number(each === kind));
      return [1e6 + 10 * kind + noise[i]!, ...indicators, 1 - half, half, Number(noise[(i * 7) % 600]! > 0.4)];
    }).flat(),
  );

  it("is the share of a number's variance between its values, or Cramér's V²; and nothing of what goes with nothing", async () => {
    const found = await relationsOf(inMemory(sorted), table, same);
    // Places 0, 10 and 20 have a variance of 200/3, and the noise one of about 1.
    expect(found.get("kind")).toBeCloseTo(1, 2);
    // By hand: χ²/n of a kind that is told by its half in one of three cases is 1.
    expect(found.get("half")).toBeCloseTo(1, 2);
    expect(found.get("coin")).toBeLessThan(0.02);
  });

  it("decides whether it weighs anything, unless somebody does: then as often as two rows differ in it", async () => {
    const weighs = async (weights = {}) => {
      const { scaling } = await columnScaling(inMemory(sorted), table, weights);
      return variances(scaledRows(sorted, scaling));
    };
    const found = await weighs();
    // Three kinds, as many rows each: two rows differ with the chance 1 − 3/9; two thirds are in one half: 1 − 5/9.
    expect(total(found.slice(1, 4))).toBeCloseTo(2 / 3, 4);
    expect(total(found.slice(4, 6))).toBeCloseTo(4 / 9, 4);
    // Nothing goes with the coin.
    expect(found[6]).toBeLessThan(0.01);
    expect((await weighs({ coin: 1 }))[6]).toBeCloseTo(1, 3);
  });
});
