/**
 * Graph-regularised non-negative factorization: NMF in which neighbours have similar parts.
 * Cai, He, Han & Huang, 2011.
 *
 *   X, U, V  as in NMF (nmf.ts)         S  graph of the p nearest rows, 0 or 1      D  its degrees
 *   λ        weight of the neighbours   L  D − S
 *
 *   min ‖X − VUᵀ‖² + λ tr(VᵀLV)
 */

import { transposed } from "../../numerics/matrix.ts";
import type { Graph } from "../../numerics/neighbours/neighbourGraph.ts";
import { number, whole } from "../../options.ts";
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
  timesSquare,
} from "./factors.ts";
import { nearestOf, zeroOneGraph } from "./nearest.ts";
import { lossOf, nextU, type Parts, partsOf, startOf } from "./nmf.ts";

export const graphOptions = {
  ...factorOptions,
  lambda: number("λ, how much neighbours have to be alike.", 100),
  neighbours: whole("p, how many nearest rows a row is tied to.", 5, { from: 1 }),
} as const;

export const gnmf = teacher({
  name: "gnmf",
  about: "Rows that are sums of parts and lie on a surface: NMF in which neighbours have to have similar parts.",
  paper:
    "Cai, He, Han & Huang, Graph regularized nonnegative matrix factorization for data representation, IEEE TPAMI 33, 2011",
  clusters: "told",
  most: 20_000,
  options: graphOptions,
  async divide(rows, work) {
    const { x, notes } = nonNegativeRows(rows);
    const { multiply, clusters: k, random, pace, options } = work;
    const { lambda, neighbours } = options;
    const graph = await zeroOneGraph(await nearestOf(x, x, neighbours, multiply, pace), pace);
    const [xt, squares] = [transposed(x), innerProduct(x.data, x.data)];
    const factorization: Factorization<Parts> = {
      x,
      start: () => startOf(x, k, random),
      async next({ u, v }) {
        const uu = crossProducts(u.data, u.data, k);
        const after = nextTied(v, await multiply(x, u), timesSquare(v.data, uu, k), graph, lambda);
        return { u: nextU(u, after, await multiply(xt, after)), v: after };
      },
      loss: async ({ u, v }) => lossOf(squares, u, v, await multiply(x, u)) + lambda * roughness(graph, v),
      parts: async ({ u, v }) => partsOf(u, v),
    };
    return divideFactors(factorization, work, notes);
  },
});

/** V ← V ∘ (A + λSV) / (B + λDV); for GNMF A = XU and B = VUᵀU. */
export function nextTied(
  v: Tensor<"float32">,
  a: Tensor<"float32">,
  b: Float64Array,
  graph: Graph,
  lambda: number,
): Tensor<"float32"> {
  const k = v.shape[1]!;
  const { sv, degrees } = tied(graph, v);
  const above = a.data.map((value, at) => value + lambda * sv[at]!);
  const below = b.map((value, at) => value + lambda * degrees[Math.floor(at / k)]! * v.data[at]!);
  return tensor("float32", v.shape, multiplied(v.data, above, below));
}

/** tr(VᵀLV) = Σ V ∘ (DV − SV). */
export function roughness(graph: Graph, v: Tensor<"float32">): number {
  const k = v.shape[1]!;
  const { sv, degrees } = tied(graph, v);
  return innerProduct(
    v.data,
    sv.map((value, at) => degrees[Math.floor(at / k)]! * v.data[at]! - value),
  );
}

/** SV, and the degrees of S. */
function tied({ starts, rows, weights }: Graph, { data, shape }: Tensor<"float32">) {
  const [n, k] = shape as [number, number];
  const [sv, degrees] = [new Float64Array(n * k), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    for (let at = starts[i]!; at < starts[i + 1]!; at++) {
      const from = rows[at]! * k;
      degrees[i]! += weights[at]!;
      for (let j = 0; j < k; j++) sv[i * k + j]! += weights[at]! * data[from + j]!;
    }
  }
  return { sv, degrees };
}
