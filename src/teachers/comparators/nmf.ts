/**
 * Non-negative matrix factorization: rows as sums of parts, none of which is taken away again; then k-means.
 * Lee & Seung, 2001.
 *
 *   X  rows [n, d], none below 0      U  parts [d, k]      V  how much of each part a row has [n, k]
 *
 *   min ‖X − VUᵀ‖²
 */

import { transposed } from "../../numerics/matrix.ts";
import type { Random } from "../../tensor/random.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import { teacher } from "../teacher.ts";
import {
  crossProducts,
  divideFactors,
  type Factorization,
  factorOptions,
  innerProduct,
  multiplied,
  nonNegativeRows,
  scaledColumns,
  timesSquare,
} from "./factors.ts";

export interface Parts {
  /** [d, k]. */
  readonly u: Tensor<"float32">;
  /** [n, k]. */
  readonly v: Tensor<"float32">;
}

export const nmf = teacher({
  name: "nmf",
  about: "Rows that are sums of parts: non-negative factors of the rows, then k-means of how much of each a row has.",
  paper: "Lee & Seung, Algorithms for non-negative matrix factorization, NIPS 13, 2001",
  clusters: "told",
  most: 500_000,
  options: factorOptions,
  async divide(rows, work) {
    const { x, notes } = nonNegativeRows(rows);
    const [xt, squares] = [transposed(x), innerProduct(x.data, x.data)];
    const { multiply, clusters: k, random } = work;
    const factorization: Factorization<Parts> = {
      x,
      start: () => startOf(x, k, random),
      async next({ u, v }) {
        const after = nextV(u, v, await multiply(x, u));
        return { u: nextU(u, after, await multiply(xt, after)), v: after };
      },
      loss: async ({ u, v }) => lossOf(squares, u, v, await multiply(x, u)),
      parts: async ({ u, v }) => partsOf(u, v),
    };
    return divideFactors(factorization, work, notes);
  },
});

export function startOf({ shape }: Tensor<"float32">, k: number, random: Random): Parts {
  const [n, d] = shape as [number, number];
  return {
    u: tensor("float32", [d, k], random.uniforms(d * k)),
    v: tensor("float32", [n, k], random.uniforms(n * k)),
  };
}

/** V ← V ∘ XU / VUᵀU. */
export function nextV(u: Tensor<"float32">, v: Tensor<"float32">, xu: Tensor<"float32">): Tensor<"float32"> {
  const k = v.shape[1]!;
  return tensor(
    "float32",
    v.shape,
    multiplied(v.data, xu.data, timesSquare(v.data, crossProducts(u.data, u.data, k), k)),
  );
}

/** U ← U ∘ XᵀV / UVᵀV. */
export function nextU(u: Tensor<"float32">, v: Tensor<"float32">, xtv: Tensor<"float32">): Tensor<"float32"> {
  return nextV(v, u, xtv);
}

/** ‖X − VUᵀ‖² = ‖X‖² − 2 Σ V ∘ XU + Σ UᵀU ∘ VᵀV. */
export function lossOf(squares: number, u: Tensor<"float32">, v: Tensor<"float32">, xu: Tensor<"float32">): number {
  const k = v.shape[1]!;
  const [uu, vv] = [crossProducts(u.data, u.data, k), crossProducts(v.data, v.data, k)];
  return squares - 2 * innerProduct(v.data, xu.data) + innerProduct(uu, vv);
}

/** V, where the columns of U have length 1: column j of V takes the length of column j of U. */
export function partsOf(u: Tensor<"float32">, v: Tensor<"float32">): Tensor<"float32"> {
  const k = v.shape[1]!;
  const uu = crossProducts(u.data, u.data, k);
  return scaledColumns(v.data, k, (j) => Math.sqrt(uu[j * k + j]!));
}
