/**
 * Spectral clustering: k-means of what a walk along neighbours cannot leave.
 * Ng, Jordan & Weiss, 2001, on the sparse graph of neighbours, regularized as Amini, Chen, Bickel & Levina, 2013.
 *
 *   A  neighbour graph [n, n], symmetric      τ  2: the weight that each row spreads over all rows
 *   D  degrees, aᵢ + τ on the diagonal        U  first k eigenvectors of M, [n, k]
 */

import { unitTensor } from "../numerics/kmeans.ts";
import { leadingEigen, type Times } from "../numerics/leadingEigen.ts";
import { type Graph, neighbourGraph } from "../numerics/neighbours/neighbourGraph.ts";
import type { Pace } from "../numerics/pace.ts";
import { pacedKMeans } from "../numerics/pacedKMeans.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { neighboursIn, neighboursOf } from "./neighbourhood.ts";
import { teacher } from "./teacher.ts";

const neighbours = 10;

/** Small islands of a graph would each have an eigenvector of their own: with τ they are not worth one. */
const tau = 2;

export const spectral = teacher({
  name: "spectral",
  about: "Clusters of any form that touch at few places: k-means of the first eigenvectors of the neighbour graph.",
  paper: "Ng, Jordan & Weiss, On spectral clustering: analysis and an algorithm, NIPS 14, 2001",
  clusters: "told",
  most: 50_000,
  async divide(rows, { clusters: k, random, pace }) {
    const near = await neighboursOf(rows, neighboursIn(rows, neighbours, k), pace);
    const u = await spectralEmbedding(await neighbourGraph(near, pace), k, random, pace);
    return pacedKMeans(unitTensor(u), k, { random, pace });
  },
});

/** U, one row for each row of the graph. */
export async function spectralEmbedding(
  graph: Graph,
  k: number,
  random: Random,
  pace: Pace,
): Promise<Tensor<"float32">> {
  const n = graph.starts.length - 1;
  const { vectors } = await leadingEigen(normalized(graph, tau), n, k, { from: -1, to: 1, random, pace });
  const columns = vectors.length / n;
  const u = new Float32Array(n * columns);
  for (let j = 0; j < columns; j++) for (let i = 0; i < n; i++) u[i * columns + j] = vectors[j * n + i]!;
  return tensor("float32", [n, columns], u);
}

/** M = D^−½ (A + τ/n) D^−½: its eigenvalues are from −1 to 1. */
export function normalized({ starts, rows, weights }: Graph, tau: number): Times {
  const n = starts.length - 1;
  const scale = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let a = tau;
    for (let at = starts[i]!; at < starts[i + 1]!; at++) a += weights[at]!;
    scale[i] = a > 0 ? 1 / Math.sqrt(a) : 0;
  }
  const scaled = new Float64Array(n);
  return (x, y) => {
    let all = 0;
    for (let i = 0; i < n; i++) {
      scaled[i] = x[i]! * scale[i]!;
      all += scaled[i]!;
    }
    const spread = (tau / n) * all;
    for (let i = 0; i < n; i++) {
      let sum = spread;
      for (let at = starts[i]!; at < starts[i + 1]!; at++) sum += weights[at]! * scaled[rows[at]!]!;
      y[i] = sum * scale[i]!;
    }
  };
}
