/**
 * What most of the papers take from k-means: how far rows are from their centers, and the means of clusters.
 *
 *   I  assignment [n, k]        Ω  centers [k, d]
 *   total, size                 of each cluster, the sum of its rows [k, d] and how many they are [k]
 */

import { reshape } from "../graph/arrange.ts";
import { add, divide, greater, maximum, multiply, subtract, where } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { mean, sum } from "../graph/reduce.ts";

/** T1, T3, K2, K4, P11: L = mean over rows of Σⱼ Iⱼ ‖x − Ωⱼ‖². */
export function withinLoss(I: Node, distances: Node): Node {
  return mean(sum(multiply(I, distances), { axes: [1] }));
}

/** Σ of the rows in Sⱼ, and |Sⱼ|. */
export function sumsOf(I: Node, x: Node): { total: Node; size: Node } {
  return { total: matmul(I, x, { transposeA: true }), size: sum(I, { axes: [0] }) };
}

/** T2, K3: Ωⱼ = (1/|Sⱼ|) Σ of the rows in Sⱼ; a cluster without rows stays where it is. */
export function meansOf(total: Node, size: Node, centers: Node): Node {
  const column = reshape(size, [size.shape[0]!, 1]);
  return where(greater(column, 0), divide(total, maximum(column, 1)), centers);
}

/** Ωⱼ ← Ωⱼ + (Σ x − mⱼ Ωⱼ)/nⱼ: the mean of all nⱼ rows seen so far, mⱼ of them in this batch (Sculley, 2010). */
export function followMeans(total: Node, size: Node, seen: Node, centers: Node): Node {
  const column = (x: Node): Node => reshape(x, [x.shape[0]!, 1]);
  return add(centers, divide(subtract(total, multiply(column(size), centers)), maximum(column(seen), 1)));
}
