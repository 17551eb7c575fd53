/** Distances are left out, and nothing else is: every step is that of all distances. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { squaredDistance } from "../../src/numerics/distances.ts";
import { meansByLabel, unitTensor } from "../../src/numerics/kmeans.ts";
import { Lloyd } from "../../src/numerics/lloyd.ts";
import { Random } from "../../src/tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../../src/tensor/tensor.ts";

/** argminⱼ ‖zᵢ − Ωⱼ‖², of equals the first, by looking at all. */
function nearestOf(rows: Tensor<"float32">, centers: Tensor<"float32">): number[] {
  const [n, d] = rows.shape as [number, number];
  return Array.from({ length: n }, (_, i) => {
    const all = Array.from({ length: centers.shape[0]! }, (_, j) => squaredDistance(rows.data, i, centers.data, j, d));
    return all.indexOf(Math.min(...all));
  });
}

/** Rows with a few equal ones among them, far from the origin or not; in one column or many. */
const scenes = fc.record({
  seed: fc.integer({ min: 1, max: 1000 }),
  n: fc.integer({ min: 1, max: 120 }),
  d: fc.constantFrom(1, 2, 5, 33),
  k: fc.integer({ min: 1, max: 13 }),
  away: fc.constantFrom(0, 3, 1e4),
  coarse: fc.boolean(),
  spherical: fc.boolean(),
});

it("in every iteration has the labels and the means of all distances", () => {
  fc.assert(
    fc.property(scenes, ({ seed, n, d, k, away, coarse, spherical }) => {
      const random = Random.seeded(seed);
      const values = random.normals(n * d).map((value) => away + (coarse ? Math.round(value) : value));
      const shaped = spherical ? unitTensor : (centers: Tensor<"float32">) => centers;
      const rows = shaped(tensor("float32", [n, d], values));
      const start = takeRows(
        rows,
        Int32Array.from({ length: k }, () => random.below(n)),
      );
      const run = new Lloyd(rows, start, shaped);
      let centers = shaped(start);
      for (let iteration = 0; iteration < 12; iteration++) {
        const labels = nearestOf(rows, centers);
        expect([...run.labels]).toEqual(labels);
        expect(run.centers.data).toEqual(centers.data);
        const scale = rows.data.reduce((sum, value) => sum + (value - rows.data[0]!) ** 2, 0);
        expect(Math.abs(run.inertia - run.exactInertia())).toBeLessThanOrEqual(1e-9 * scale + 1e-20);
        centers = shaped(meansByLabel(rows, Int32Array.from(labels), centers));
        run.iterate();
      }
    }),
    { numRuns: 150, seed: 1 },
  );
});

it("a row that is not a number keeps the label it has, and does not trouble the others' labels", () => {
  const rows = tensor("float32", [4, 1], Float32Array.of(0, 1, Number.NaN, 9));
  const run = new Lloyd(rows, tensor("float32", [2, 1], Float32Array.of(0, 9)));
  expect([...run.labels]).toEqual([0, 0, 0, 1]);
});
