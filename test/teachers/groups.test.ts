import { expect, test } from "vitest";
import { paceOf } from "../../src/numerics/pace.ts";
import { groupsIn, isOneCloud } from "../../src/teachers/groups.ts";
import { axisScores, cloudForms, cloudLike } from "../../src/teachers/oneCloud.ts";
import { Random } from "../../src/tensor/random.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { moons } from "./shapes.ts";

const pace = paceOf(undefined);
const from = (seed: number) => ({ random: Random.seeded(seed), pace });

/** k normal clouds around the corners of a wide cube. */
function blobs(k: number, columns: number, n: number, seed: number): Tensor<"float32"> {
  const noise = Random.seeded(seed)
    .fork("blobs")
    .normals(n * columns);
  const corner = (j: number, c: number): number => (((j + 1) >> (c % 3)) & 1) * 7;
  return tensor(
    "float32",
    [n, columns],
    noise.map((value, at) => value + corner(Math.floor(at / columns) % k, at % columns)),
  );
}

const clouds: readonly [string, (n: number, random: Random) => Float32Array, number][] = [
  ["uniform", (n, random) => random.uniforms(2 * n), 2],
  ["normal", (n, random) => random.normals(5 * n), 5],
  [
    "S-curve",
    (n, random) => {
      const [u, e] = [random.uniforms(2 * n), random.normals(3 * n)];
      return e.map((noise, at) => {
        const [i, c] = [Math.floor(at / 3), at % 3];
        const t = 3 * Math.PI * (u[2 * i]! - 0.5);
        return [Math.sin(t), 2 * u[2 * i + 1]!, Math.sign(t) * (Math.cos(t) - 1)][c]! + 0.1 * noise;
      });
    },
    3,
  ],
];

test.each(clouds)("%s rows are one cloud", async (name, draw, columns) => {
  for (const seed of [1, 2]) {
    const rows = tensor("float32", [300, columns], draw(300, Random.seeded(seed).fork(name)));
    const { found, between } = await groupsIn(rows, [1, 6], from(seed));
    expect({ found, between }).toEqual({ found: 1, between: [1, 1] });
  }
});

test.each([
  [3, 3],
  [4, 20],
  [5, 3],
])("%d clouds in %d columns that lie apart are as many groups", async (k, columns) => {
  const { found, tried } = await groupsIn(blobs(k, columns, 300, k), [1, 7], from(1));
  expect(found).toBe(k);
  expect(tried.map(({ clusters }) => clusters)).toEqual([2, 3, 4, 5, 6, 7]);
  const best = tried[k - 2]!;
  expect(best.areGroups).toBe(true);
  expect(best.strength).toBeGreaterThan(0.95);
  // A single cloud of these variances is nothing like it.
  expect(best.cloud!.high).toBeLessThan(0.9);
});

test("two moons are two groups, by the divider that sees forms", async () => {
  const { found, tried } = await groupsIn(moons(400).rows, [1, 4], from(1));
  expect(found).toBe(2);
  expect(tried[0]!.by).toBe("spectral");
});

test("the same rows and seed give the same bits, whatever other numbers of clusters are looked at", async () => {
  const rows = blobs(3, 4, 150, 1);
  const all = await groupsIn(rows, [1, 6], from(7));
  expect(await groupsIn(rows, [1, 6], from(7))).toEqual(all);
  const some = await groupsIn(rows, [3, 6], from(7));
  expect(some.tried).toEqual(all.tried.slice(1));
});

test("groups are seen where another number of clusters was asked for, and none in one cloud", async () => {
  expect(await isOneCloud(blobs(3, 4, 200, 1), { asked: 6, most: 6 }, from(1))).toBe(false);
  const cloud = tensor("float32", [200, 4], Random.seeded(3).normals(800));
  expect(await isOneCloud(cloud, { asked: 3, most: 6 }, from(1))).toBe(true);
});

test("equal rows, few rows and more clusters than different rows are one cloud, and no error", async () => {
  const equal = tensor("float32", [40, 3], new Float32Array(120).fill(2));
  expect((await groupsIn(equal, [1, 6], from(1))).found).toBe(1);
  const few = tensor("float32", [5, 2], Random.seeded(1).normals(10));
  expect(await groupsIn(few, [1, 2], from(1))).toEqual({ found: 1, between: [1, 1], tried: [] });
  const coins = tensor(
    "float32",
    [60, 1],
    Float32Array.from({ length: 60 }, (_, i) => i % 2),
  );
  expect((await groupsIn(coins, [1, 7], from(1))).found).toBe(2);
});

test("clouds have the variances of the rows along their axes, and wide rows only axes that tell", async () => {
  const scores = await axisScores(blobs(4, 20, 400, 2), pace);
  expect(scores.shape).toEqual([400, 3]);
  for (const form of cloudForms) {
    const cloud = cloudLike(scores, form, Random.seeded(1));
    for (let c = 0; c < 3; c++) expect(variance(cloud, c) / variance(scores, c)).toBeCloseTo(1, 0);
  }
});

function variance({ data, shape }: Tensor<"float32">, column: number): number {
  const values = data.filter((_, at) => at % shape[1]! === column);
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0);
}
