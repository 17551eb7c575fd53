/** Categories weigh more or less where clusters then explain more of the columns. */

import { describe, expect, it } from "vitest";
import { columnScaling } from "../../src/data/columnScaling.ts";
import { inMemory } from "../../src/data/data.ts";
import type { Feature } from "../../src/data/feature.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { gainOf, withExplainingWeights } from "../../src/training/explainingWeights.ts";

describe("a gain", () => {
  const before = { numbers: 0.5, categories: 0.2 };

  it("is Δη² + ΔNMI/2", () => {
    expect(gainOf({ numbers: 0.51, categories: 0.22 }, before)).toBeCloseTo(0.02, 12);
    expect(gainOf({ numbers: 0.49, categories: 0.24 }, before)).toBeCloseTo(0.01, 12);
  });

  it("is none where either loses two hundredths, whatever the other gains", () => {
    expect(gainOf({ numbers: 0.47, categories: 0.9 }, before)).toBe(0);
    expect(gainOf({ numbers: 0.9, categories: 0.17 }, before)).toBe(0);
  });
});

const kinds = ["a", "b"].map((value): Feature => ({ kind: "category", column: "kind", value }));
const features: Feature[] = [{ kind: "number", column: "price" }, { kind: "number", column: "size" }, ...kinds];
const noise = Random.seeded(3).normals(400);

/** Two groups by price and size, so far apart; of their kinds, nine in ten go with them. */
function table(apart: number) {
  const row = (_: unknown, i: number): number[] => {
    const group = i % 2;
    const kind = i % 20 < 18 ? group : 1 - group;
    return [apart * group + noise[i]!, apart * group + noise[200 + i]!, 1 - kind, kind];
  };
  return inMemory(fromNumbers("float32", [200, 4], Array.from({ length: 200 }, row).flat()));
}
const settings = { clusters: 2, seed: 1, pace: paceOf(undefined) };

it("nothing changes where clusters are the same whatever categories weigh, or where all columns are of one kind", async () => {
  const clear = table(40);
  const found = await columnScaling(clear, features);
  expect(await withExplainingWeights(found, clear, features, settings)).toEqual(found);
  const numbers = ["a", "b", "c", "d"].map((column): Feature => ({ kind: "number", column }));
  const plain = await columnScaling(clear, numbers);
  expect(await withExplainingWeights(plain, clear, numbers, settings)).toBe(plain);
});

it("a category weighs as one then: its numbers by one factor, its loss by the square; numbers stay as they are", async () => {
  const unclear = table(3);
  const found = await columnScaling(unclear, features);
  const { scaling, shares } = await withExplainingWeights(found, unclear, features, settings);
  const times = scaling.factor.map((factor, i) => factor / found.scaling.factor[i]!);
  expect(times.slice(0, 2)).toEqual([1, 1]);
  expect(times[2]).not.toBe(1);
  expect(times[3]).toBe(times[2]);
  expect(shares[0]!.weight / found.shares[0]!.weight).toBeCloseTo(times[2]! ** 2, 12);
});
