/** The singular values and left vectors of rows: all that a linear method needs to know of them. */

import { type Tensor, tensor } from "../tensor/tensor.ts";
import { innerProducts, type Multiply, transposed } from "./matrix.ts";
import type { Pace } from "./pace.ts";
import { symmetricEigen } from "./symmetricEigen.ts";

/** A = VΣUᵀ of rows [n, d]. */
export interface ThinSvd {
  /** [n, r], columns of length 1 at right angles. */
  readonly v: Tensor<"float32">;
  /** σ, from the largest; r of them. */
  readonly sigma: Float64Array;
}

/** What is smaller than this share of the largest is rounding. */
const rounding = 1e-6;

/**
 * By the eigenvectors of AᵀA = UΣ²Uᵀ, V = AUΣ⁻¹; where there are fewer rows than columns, by those of AAᵀ = VΣ²Vᵀ. At
 * most `most` singular values are kept.
 */
export async function thinSvd(a: Tensor<"float32">, most: number, multiply: Multiply, pace: Pace): Promise<ThinSvd> {
  const [n, d] = a.shape as [number, number];
  const isWide = n < d;
  const size = Math.min(n, d);
  const { values, vectors } = await symmetricEigen(await innerProducts(isWide ? transposed(a) : a, pace), size, pace);
  const least = rounding * rounding * Math.max(0, values[0]!);
  let r = 0;
  while (r < Math.min(most, size) && values[r]! > least && values[r]! > 0) r++;
  const sigma = Float64Array.from(values.subarray(0, r), Math.sqrt);
  const columns = new Float32Array(size * r);
  for (let j = 0; j < r; j++) {
    for (let c = 0; c < size; c++) columns[c * r + j] = vectors[j * size + c]! / (isWide ? 1 : sigma[j]!);
  }
  const basis = tensor("float32", [size, r], columns);
  return { v: isWide ? basis : await multiply(a, basis), sigma };
}
