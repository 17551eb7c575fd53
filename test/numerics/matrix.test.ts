import { describe, expect, it } from "vitest";
import { eigen } from "../../src/numerics/eigen.ts";
import { innerProducts, plainMultiply, scaledRows, transposed } from "../../src/numerics/matrix.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { symmetricEigen } from "../../src/numerics/symmetricEigen.ts";
import { thinSvd } from "../../src/numerics/thinSvd.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

const pace = paceOf(undefined);
const normal = (n: number, d: number, seed = 1) => tensor("float32", [n, d], Random.seeded(seed).normals(n * d));

describe("products of matrices", () => {
  const a = fromNumbers("float32", [2, 3], [1, 2, 3, 4, 5, 6]);

  it("[2, 3]·[3, 2] by hand, and a sentence where sizes differ", async () => {
    const multiply = plainMultiply(pace);
    const { shape, data } = await multiply(a, transposed(a));
    expect(shape).toEqual([2, 2]);
    expect([...data]).toEqual([14, 32, 32, 77]);
    await expect(multiply(a, a)).rejects.toThrow("multiply: inner sizes differ, got [2,3] and [2,3]");
  });

  it("AᵀA has the inner products of the columns, whatever the number of rows left over", async () => {
    expect([...(await innerProducts(a, pace))]).toEqual([17, 22, 27, 22, 29, 36, 27, 36, 45]);
  });

  it("turned twice is as it was, and rows are scaled each by its own number", () => {
    const wide = normal(70, 45);
    expect(transposed(transposed(wide))).toEqual(wide);
    expect([...scaledRows(a, (i) => 10 ** i).data]).toEqual([1, 2, 3, 40, 50, 60]);
  });
});

describe("all eigenvectors of a symmetric matrix", () => {
  it.each([33, 50, 81])("Av = θv of %i rows, the values those of Jacobi's rotations", async (d) => {
    const matrix = await innerProducts(normal(2 * d, d), pace);
    const { values, vectors } = await symmetricEigen(matrix, d, pace);
    expectClose(values, (await eigen(matrix, d, pace)).values, 1e-10);
    for (let j = 0; j < d; j++) {
      const v = vectors.subarray(j * d, (j + 1) * d);
      const image = Float64Array.from(v, (_, i) => v.reduce((sum, value, c) => sum + matrix[i * d + c]! * value, 0));
      expectClose(
        image,
        v.map((value) => values[j]! * value),
        1e-8 * values[0]!,
      );
    }
  });

  it("of a diagonal matrix, of one that falls apart, and of values that are equal", async () => {
    const d = 40;
    const diagonal = new Float64Array(d * d);
    for (let i = 0; i < d; i++) diagonal[i * d + i] = i % 3;
    const { values } = await symmetricEigen(diagonal, d, pace);
    expect([...values]).toEqual([...values].sort((a, b) => b - a));
    expect(values.filter((value) => value === 2)).toHaveLength(13);
    // 1 + 1 in pairs of rows: eigenvalues 2 and 0.
    const pairs = new Float64Array(d * d);
    for (let i = 0; i < d; i++) for (const j of [i, i ^ 1]) pairs[i * d + j] = 1;
    expectClose((await symmetricEigen(pairs, d, pace)).values, [...Array(20).fill(2), ...Array(20).fill(0)], 1e-12);
  });
});

describe("singular values and left vectors", () => {
  it.each([
    [60, 40],
    [40, 60],
  ])("VΣ²Vᵀ = AAᵀ of [%i, %i]", async (n, d) => {
    const a = normal(n, d);
    const multiply = plainMultiply(pace);
    const { v, sigma } = await thinSvd(a, Number.POSITIVE_INFINITY, multiply, pace);
    expect(sigma).toHaveLength(40);
    const squared = await multiply(
      v,
      scaledRows(transposed(v), (j) => sigma[j]! ** 2),
    );
    expectClose(squared.data, (await multiply(a, transposed(a))).data, 1e-4);
  });

  it("what is rounding is left out, and no more are kept than asked for", async () => {
    const flat = normal(50, 3);
    const a = await plainMultiply(pace)(flat, normal(3, 20, 2));
    expect((await thinSvd(a, 9, plainMultiply(pace), pace)).sigma).toHaveLength(3);
    expect((await thinSvd(a, 2, plainMultiply(pace), pace)).sigma).toHaveLength(2);
  });
});
