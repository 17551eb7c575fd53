import { expect, it } from "vitest";
import { cholesky, squaredLengthIn } from "../../src/numerics/cholesky.ts";
import { expectClose } from "../support/close.ts";

it("by hand: L of [[4, 2], [2, 5]] is [[2, 0], [1, 2]]", () => {
  const l = cholesky(Float64Array.of(4, 2, 2, 5), 2)!;
  expect([...l]).toEqual([2, 0, 1, 2]);
  // A⁻¹ = [[5, −2], [−2, 4]]/16, so that xᵀA⁻¹x = (5·1 − 2·2·3 + 4·9)/16 for x = (1, 3).
  expectClose([squaredLengthIn(l, 0, Float64Array.of(1, 3))], [29 / 16], 1e-12);
});

it("there is none where the matrix is not positive, or not a number", () => {
  expect(cholesky(Float64Array.of(1, 2, 2, 1), 2)).toBeUndefined();
  expect(cholesky(Float64Array.of(0), 1)).toBeUndefined();
  expect(cholesky(Float64Array.of(Number.NaN), 1)).toBeUndefined();
});
