/**
 * Locally consistent concept factorization, which papers call NMF with locality preservation (NMF-LP): the parts are
 * sums of rows, and neighbours have similar ones.
 * Cai, He & Han, 2011.
 *
 *   X  rows [n, d]                    K  XXᵀ [n, n], never written down: KA = X(XᵀA)
 *   W  concepts as sums of rows [n, k]   V  how much of each concept a row has [n, k]
 *   S, D, L, λ  as in GNMF (gnmf.ts)
 *
 *   min ‖X − VWᵀX‖² + λ tr(VᵀLV)
 */

import { type Multiply, transposed } from "../../numerics/matrix.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import { teacher } from "../teacher.ts";
import {
  crossProducts,
  divideFactors,
  type Factorization,
  innerProduct,
  multiplied,
  nonNegativeRows,
  scaledColumns,
  timesSquare,
} from "./factors.ts";
import { graphOptions, nextTied, roughness } from "./gnmf.ts";
import { nearestOf, zeroOneGraph } from "./nearest.ts";

interface Concepts {
  /** [n, k] both. */
  readonly w: Tensor<"float32">;
  readonly v: Tensor<"float32">;
}

export const lccf = teacher({
  name: "lccf",
  about:
    "Rows that are sums of a few typical rows, and neighbours alike: concept factorization with a neighbour graph.",
  paper:
    "Cai, He & Han, Locally consistent concept factorization for document clustering, IEEE TKDE 23, 2011 (NMF-LP in other papers)",
  clusters: "told",
  most: 20_000,
  options: graphOptions,
  async divide(rows, work) {
    const { x, notes } = nonNegativeRows(rows);
    const { multiply, clusters: k, random, pace, options } = work;
    const { lambda, neighbours } = options;
    const n = x.shape[0]!;
    const graph = await zeroOneGraph(await nearestOf(x, x, neighbours, multiply, pace), pace);
    const kernel = kernelOf(x, multiply);
    const squares = innerProduct(x.data, x.data);
    const factorization: Factorization<Concepts> = {
      x,
      start: () => ({
        w: tensor("float32", [n, k], random.uniforms(n * k)),
        v: tensor("float32", [n, k], random.uniforms(n * k)),
      }),
      async next({ w, v }) {
        const kw = await kernel(w);
        const wkw = crossProducts(w.data, kw.data, k);
        const after = nextTied(v, kw, timesSquare(v.data, wkw, k), graph, lambda);
        return { w: nextW(w, after, kw, await kernel(after)), v: after };
      },
      loss: async ({ w, v }) => lossOf(squares, w, v, await kernel(w)) + lambda * roughness(graph, v),
      parts: async ({ w, v }) => conceptParts(w, v, await kernel(w)),
    };
    return divideFactors(factorization, work, notes);
  },
});

/** A ↦ KA = X(XᵀA). */
export function kernelOf(
  x: Tensor<"float32">,
  multiply: Multiply,
): (a: Tensor<"float32">) => Promise<Tensor<"float32">> {
  const xt = transposed(x);
  return async (a) => multiply(x, await multiply(xt, a));
}

/** W ← W ∘ KV / KWVᵀV. */
export function nextW(
  w: Tensor<"float32">,
  v: Tensor<"float32">,
  kw: Tensor<"float32">,
  kv: Tensor<"float32">,
): Tensor<"float32"> {
  const k = w.shape[1]!;
  return tensor(
    "float32",
    w.shape,
    multiplied(w.data, kv.data, timesSquare(kw.data, crossProducts(v.data, v.data, k), k)),
  );
}

/** ‖X − VWᵀX‖² = ‖X‖² − 2 Σ V ∘ KW + Σ VᵀV ∘ WᵀKW. */
export function lossOf(squares: number, w: Tensor<"float32">, v: Tensor<"float32">, kw: Tensor<"float32">): number {
  const k = w.shape[1]!;
  const [vv, wkw] = [crossProducts(v.data, v.data, k), crossProducts(w.data, kw.data, k)];
  return squares - 2 * innerProduct(v.data, kw.data) + innerProduct(vv, wkw);
}

/** V, where the concepts XᵀW have length 1: column j takes √(WᵀKW)ⱼⱼ. */
function conceptParts(w: Tensor<"float32">, v: Tensor<"float32">, kw: Tensor<"float32">): Tensor<"float32"> {
  const k = w.shape[1]!;
  const wkw = crossProducts(w.data, kw.data, k);
  return scaledColumns(v.data, k, (j) => Math.sqrt(Math.max(0, wkw[j * k + j]!)));
}
