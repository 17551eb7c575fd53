import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paceOf } from "../../src/numerics/pace.ts";
import { partitionOf } from "../../src/teachers/partition.ts";
import { teacher } from "../../src/teachers/teacher.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { manyRows } from "./shapes.ts";

const lesson = { random: Random.seeded(1), pace: paceOf(undefined) };
const about = { about: "For a test.", paper: "2026" };

describe("partitionOf", () => {
  it("numbers clusters by their first rows, drops those that nobody has, and leaves −1", () => {
    const { labels, clusters } = partitionOf({ labels: Int32Array.of(-1, 7, 2, 7, -1, 0) });
    expect([...labels]).toEqual([-1, 0, 1, 0, -1, 2]);
    expect(clusters).toBe(3);
  });

  it("takes memberships along, and makes their rows sum to 1 without the clusters that are gone", () => {
    // Nobody's first choice is cluster 1; clusters 2 and 0 become 0 and 1.
    const memberships = fromNumbers("float32", [2, 3], [0.25, 0.25, 0.5, 0.6, 0.2, 0.2]);
    const found = partitionOf({ labels: Int32Array.of(2, 0), memberships });
    expect(found.memberships!.shape).toEqual([2, 2]);
    expectClose(found.memberships!.data, [2 / 3, 1 / 3, 0.25, 0.75], 1e-6);
  });

  it("does not change what is a partition already, and does not mind other names", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1, max: 6 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (names, by) => {
          const once = partitionOf({ labels: Int32Array.from(names) });
          expect(partitionOf(once)).toEqual(once);
          expect(partitionOf({ labels: Int32Array.from(names, (name) => (name < 0 ? -1 : by * (10 - name))) })).toEqual(
            once,
          );
        },
      ),
    );
  });
});

describe("of more rows than a teacher may see", () => {
  const bySign = (rows: Tensor<"float32">): Int32Array =>
    Int32Array.from({ length: rows.shape[0]! }, (_, i) => (rows.data[i * rows.shape[1]!]! > 0.5 ? 1 : 0));

  it("it sees a sample, and the nearest rows of the sample carry its answer to the others", async () => {
    const { rows, labels } = manyRows(20_000);
    let seen = 0;
    const half = teacher({
      ...about,
      clusters: "found",
      name: "half",
      most: 1000,
      divide: async (sample) => {
        seen = sample.shape[0]!;
        return { labels: bySign(sample) };
      },
    });
    const found = await half.teach(rows, lesson);
    expect(seen).toBe(1000);
    // The first column is 1 for the first of the three clouds alone.
    const expected = labels.map((label) => (label === 0 ? 0 : 1));
    expect(found.labels.filter((label, i) => label !== expected[i])).toHaveLength(0);
    expect(found.clusters).toBe(2);
  });

  it("it is the same sample for the same seed, in the order of the rows, whatever is drawn from it", async () => {
    const rows = tensor(
      "float32",
      [500, 1],
      Float32Array.from({ length: 500 }, (_, i) => i),
    );
    const samples: number[][] = [];
    const curious = teacher({
      ...about,
      clusters: "found",
      name: "curious",
      most: 20,
      divide: async (sample, { random }) => {
        samples.push([...sample.data]);
        random.normals(samples.length);
        return { labels: new Int32Array(20) };
      },
    });
    await curious.teach(rows, lesson);
    await curious.teach(rows, lesson);
    await curious.teach(rows, { ...lesson, random: Random.seeded(2) });
    expect(samples[1]).toEqual(samples[0]);
    expect(samples[0]!.toSorted((a, b) => a - b)).toEqual(samples[0]);
    expect(samples[2]).not.toEqual(samples[0]);
  });

  it("none is carried as any cluster is, and memberships as the mean of the nearest", async () => {
    const n = 400;
    const data = Float32Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 0 : 100) + i / n);
    const unsure = teacher({
      ...about,
      clusters: "found",
      name: "unsure",
      most: 100,
      divide: async (sample) => {
        const k = 2;
        const labels = Int32Array.from(sample.data, (value) => (value < 50 ? 1 : -1));
        const memberships = Float32Array.from({ length: 100 * k }, (_, at) => (at % k === 1 ? 0.75 : 0.25));
        return { labels, memberships: tensor("float32", [100, k], memberships) };
      },
    });
    const found = await unsure.teach(tensor("float32", [n, 1], data), lesson);
    expect([...found.labels]).toEqual(Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 0 : -1)));
    expect(found.clusters).toBe(1);
    expect(new Set(found.memberships!.data)).toEqual(new Set([1]));
  });
});
