/** What holds for every teacher. */

import { describe, expect, it } from "vitest";
import { ari } from "../../src/metrics/ari.ts";
import { type Pace, paceOf } from "../../src/numerics/pace.ts";
import { teacherOf, teachers } from "../../src/teachers/index.ts";
import type { TeacherName } from "../../src/teachers/names.ts";
import type { Partition } from "../../src/teachers/partition.ts";
import { Random } from "../../src/tensor/random.ts";
import { filled, fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { type Blobs, blobs } from "../support/blobs.ts";
import { directions, moons, rings, sticks, widths } from "./shapes.ts";

const matrix = (...rows: number[][]) => fromNumbers("float32", [rows.length, rows[0]!.length], rows.flat());
const all = Object.entries(teachers);
const told = all.filter(([, { clusters }]) => clusters === "told");

const taught = (name: string, rows: Tensor<"float32">, clusters: number, seed = 1, pace: Pace = paceOf(undefined)) =>
  teacherOf(name).teach(rows, { clusters, random: Random.seeded(seed), pace });

/** Labels from −1 to clusters − 1, each cluster with a row, numbered by first rows; memberships sum to 1. */
function expectPartition({ labels, clusters, memberships }: Partition, n: number): void {
  expect(labels).toHaveLength(n);
  const firsts = [...new Set(labels)].filter((label) => label >= 0);
  expect(firsts).toEqual(Array.from({ length: clusters }, (_, j) => j));
  expect(Math.min(...labels)).toBeGreaterThanOrEqual(-1);
  if (!memberships || clusters === 0) return;
  expect(memberships.shape).toEqual([n, clusters]);
  for (let i = 0; i < n; i++) {
    const row = memberships.data.subarray(i * clusters, (i + 1) * clusters);
    expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 4);
  }
}

/** The forms that each teacher says it finds, in its sentence or in docs/teachers.md. */
const claims: Readonly<Record<TeacherName, readonly (() => Blobs)[]>> = {
  kmeans: [],
  spherical: [directions],
  ward: [],
  average: [],
  weighted: [],
  mixture: [sticks, widths],
  votes: [],
  "balanced-votes": [],
  spectral: [moons, rings],
  manifold: [moons, rings],
  "manifold-mixture": [moons, rings],
  density: [moons, rings],
  consensus: [],
  fcm: [],
  nmf: [],
  gnmf: [],
  lccf: [],
  njw: [moons, rings],
  "lsc-r": [rings],
  "lsc-k": [rings],
  lsr1: [],
  lsr2: [],
  lrsc: [],
  lrr: [],
  slrr: [],
  smr: [],
  ssc: [],
  zac: [moons, rings],
};

describe.each(told)("%s", (name) => {
  it("divides different rows into as many clusters as it is asked for", async () => {
    const rows = tensor("float32", [60, 3], Random.seeded(8).uniforms(180));
    const partition = await taught(name, rows, 20);
    expectPartition(partition, 60);
    expect(partition.clusters).toBe(20);
  });
});

describe.each(all)("%s", (name, teacher) => {
  it("has the name it is listed by, and says what it is in a sentence", () => {
    expect(teacher.name).toBe(name);
    expect(teacher.about).toMatch(/^[A-Z].*\.$/);
    expect(teacher.paper).toMatch(/\d{4}/);
    expect(teacher.most).toBeGreaterThanOrEqual(5000);
  });

  it("finds three blobs exactly, whatever the seed", async () => {
    const { rows, labels } = blobs(150);
    for (const seed of [1, 2, 3]) {
      const found = await taught(name, rows, 3, seed);
      expectPartition(found, 150);
      expect([...found.labels]).toEqual([...labels]);
    }
  });

  it.each(claims[name as TeacherName].map((shape) => [shape.name, shape] as const))("finds %s", async (_, shape) => {
    const { rows, labels } = shape();
    const found = await taught(name, rows, Math.max(...labels) + 1);
    expectPartition(found, labels.length);
    expect(ari(labels, found.labels)).toBeGreaterThan(0.95);
  });

  it("gives the same bits for the same seed, however far its random numbers were drawn before", async () => {
    const { rows } = blobs(90, { deviation: 0.3 });
    const random = Random.seeded(4);
    const lesson = { clusters: 4, random, pace: paceOf(undefined) };
    const one = await teacher.teach(rows, lesson);
    random.normals(7);
    expect(await teacher.teach(rows, lesson)).toEqual(one);
    expectPartition(one, 90);
  });

  it("does not change its rows", async () => {
    const { rows } = blobs(60);
    const before = rows.data.slice();
    await taught(name, rows, 3);
    expect(rows.data).toEqual(before);
  });

  it("copes with one row", async () => {
    const found = await taught(name, matrix([1, 2]), 3);
    expectPartition(found, 1);
    expect(found.clusters).toBe(teacher.clusters === "told" ? 1 : 0);
  });

  it("says that rows that are all equal are one cluster", async () => {
    const found = await taught(name, filled("float32", [40, 3], 0.1), 3);
    expectPartition(found, 40);
    expect(found.clusters).toBe(1);
    expect([...found.labels]).toEqual(Array(40).fill(0));
  });

  it.each([2, 3, 5, 12])("copes with %i rows, fewer than it asks neighbours", async (n) => {
    const rows = tensor("float32", [n, 3], Random.seeded(n).normals(3 * n));
    for (const clusters of [1, 2, 5]) {
      const found = await taught(name, rows, clusters);
      expectPartition(found, n);
      if (teacher.clusters === "told") expect(found.clusters).toBeLessThanOrEqual(Math.min(clusters, n));
    }
  });

  it("copes with many equal rows among few different ones", async () => {
    const rows = matrix(...Array.from({ length: 90 }, (_, i) => [i % 3 === 0 ? 5 : i % 3, i % 30 === 0 ? 1 : 0]));
    const found = await taught(name, rows, 3);
    expectPartition(found, 90);
    // Equal rows are together, or one of them is in none.
    for (let i = 1; i < 30; i++)
      for (let j = i; j < 90; j += 30) expect([found.labels[i], -1]).toContain(found.labels[j]);
  });

  it.each([1e-30, 1e30])("does not mind how small or large numbers are: times %f", async (scale) => {
    const { rows, labels } = blobs(90);
    const found = await taught(
      name,
      tensor(
        "float32",
        rows.shape,
        rows.data.map((value) => value * scale),
      ),
      3,
    );
    expect([...found.labels]).toEqual([...labels]);
  });

  it("refuses rows without a column, no rows, and numbers that are not finite, with a sentence", async () => {
    await expect(taught(name, filled("float32", [4, 0], 0), 2)).rejects.toThrow(
      `${name}: rows must be [n, d] with a row and a column at least, got [4,0]`,
    );
    await expect(taught(name, filled("float32", [0, 4], 0), 2)).rejects.toThrow("got [0,4]");
    await expect(taught(name, matrix([1, 2], [3, Number.NaN]), 2)).rejects.toThrow(
      `${name}: rows must be finite numbers, got NaN in row 1, column 1`,
    );
  });

  it("ends with the signal's reason, before and while it works", async () => {
    const { rows } = blobs(3000, { deviation: 0.2 });
    expect(() => paceOf(AbortSignal.abort(new Error("no more")))).toThrow("no more");
    const stop = new AbortController();
    let turns = 0;
    const pace = async (): Promise<void> => {
      if (++turns === 2) stop.abort(new Error("enough"));
      stop.signal.throwIfAborted();
    };
    await expect(taught(name, rows, 3, 1, pace)).rejects.toThrow("enough");
  });
});

describe.each(told)("%s, told how many", (name) => {
  it("makes no more clusters than rows are different", async () => {
    const rows = matrix([1, 1], [2, 2], [1, 1], [2, 2], [-0, 3], [0, 3]);
    const found = await taught(name, rows, 5);
    expect([...found.labels]).toEqual([0, 1, 0, 1, 2, 2]);
    expect(found.clusters).toBe(3);
  });

  it("makes one cluster of all where one is wanted", async () => {
    const found = await taught(name, blobs(30).rows, 1);
    expect(found.clusters).toBe(1);
    expect(new Set(found.labels)).toEqual(new Set([0]));
  });

  it.each([undefined, 0, 2.5, Number.NaN])("refuses to be told %s clusters", async (clusters) => {
    const lesson = { random: Random.seeded(1), pace: paceOf(undefined), ...(clusters !== undefined && { clusters }) };
    await expect(teacherOf(name).teach(blobs(9).rows, lesson)).rejects.toThrow(
      `${name}: clusters must be a whole number from 1, got ${clusters}`,
    );
  });
});

it("the teacher of another name is refused, with those there are", () => {
  expect(() => teacherOf("constructor")).toThrow('teacher: there is no "constructor"; there are kmeans, spherical');
});
