import { describe, expect, it } from "vitest";
import { diagonalMixture } from "../../src/numerics/diagonalMixture.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

describe("diagonalMixture", () => {
  it("finds weights, means and variances of two clouds that it was drawn from", () => {
    const random = Random.seeded(3);
    const rows = new Float32Array(6000);
    const normals = random.normals(6000);
    for (let i = 0; i < 3000; i++) {
      // A third around (0, 0) with deviations (1, 0.5), the others around (5, −4) with (0.2, 2).
      const [mean, deviation] =
        i % 3 === 0
          ? [
              [0, 0],
              [1, 0.5],
            ]
          : [
              [5, -4],
              [0.2, 2],
            ];
      for (const c of [0, 1]) rows[2 * i + c] = mean![c]! + deviation![c]! * normals[2 * i + c]!;
    }
    const { weights, means, variances } = diagonalMixture(
      tensor("float32", [3000, 2], rows),
      fromNumbers("float32", [2, 2], [1, 1, 4, -2]),
      { tolerance: 1e-6 },
    );
    expectClose([...weights.data], [1 / 3, 2 / 3], 0.01);
    expectClose([...means.data], [0, 0, 5, -4], 0.15);
    expectClose([...variances.data], [1, 0.25, 0.04, 4], 0.3);
  });

  it("of one cluster is the mean and the variance of the rows", () => {
    const rows = fromNumbers("float32", [4, 1], [1, 2, 3, 6]);
    const { weights, means, variances } = diagonalMixture(rows, fromNumbers("float32", [1, 1], [0]));
    expectClose([...weights.data, ...means.data, ...variances.data], [1, 3, 3.5], 1e-6);
  });

  it("stays finite where a cluster has one row, or none, and where rows are the same", () => {
    const values = ({ weights, means, variances }: ReturnType<typeof diagonalMixture>): number[] => [
      ...weights.data,
      ...means.data,
      ...variances.data,
    ];
    const rows = fromNumbers("float32", [3, 1], [0, 0.1, 9]);
    expect(values(diagonalMixture(rows, fromNumbers("float32", [3, 1], [0, 9, 500]))).every(Number.isFinite)).toBe(
      true,
    );
    const same = fromNumbers("float32", [3, 1], [2, 2, 2]);
    expect(values(diagonalMixture(same, fromNumbers("float32", [2, 1], [2, 2]))).every(Number.isFinite)).toBe(true);
  });
});
