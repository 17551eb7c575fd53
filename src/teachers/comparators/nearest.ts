/** Nearest rows by products of matrices: all of them, exactly, also where rows are wide and many. */

import { squaredDistance } from "../../numerics/distances.ts";
import { type Multiply, transposed } from "../../numerics/matrix.ts";
import { Moments } from "../../numerics/moments.ts";
import { type Graph, neighbourGraph } from "../../numerics/neighbours/neighbourGraph.ts";
import { type Neighbours, neighbours, treeColumns } from "../../numerics/neighbours/neighbours.ts";
import type { Pace } from "../../numerics/pace.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";

/** Distances that are written down at a time. */
const atOnce = 2 ** 22;

/** A product in float32 may mistake which is nearer: so many more are looked at in float64. */
const spare = 4;

/**
 * The nearest `count` of other rows for each row, by ‖x − y‖² = ‖x‖² − 2xᵀy + ‖y‖²; the row itself left out where both
 * are the same.
 */
export async function nearestOf(
  rows: Tensor<"float32">,
  others: Tensor<"float32">,
  asked: number,
  multiply: Multiply,
  pace: Pace,
): Promise<Neighbours> {
  const [n, d] = rows.shape as [number, number];
  const m = others.shape[0]!;
  const isSame = rows === others;
  const count = Math.min(asked, isSame ? m - 1 : m);
  if (isSame && d <= treeColumns) return neighbours(rows, count, pace);
  const looked = Math.min(count + spare, isSame ? m - 1 : m);
  const [turned, squares] = [transposed(others), squaresOf(others)];
  const [found, distances] = [new Int32Array(n * count), new Float64Array(n * count)];
  const block = Math.max(1, Math.floor(atOnce / m));
  for (let from = 0; from < n; from += block) {
    const part = rowsBetween(rows, from, Math.min(n, from + block));
    const products = (await multiply(part, turned)).data;
    for (let i = from; i < from + part.shape[0]!; i++) {
      await pace();
      const at = (i - from) * m;
      const some = leastOf(m, looked, (j) =>
        isSame && j === i ? Number.POSITIVE_INFINITY : squares[j]! - 2 * products[at + j]!,
      );
      const exact = Array.from(some, (j) => ({ j, far: squaredDistance(rows.data, i, others.data, j, d) }));
      exact.sort((a, b) => a.far - b.far || a.j - b.j);
      for (let c = 0; c < count; c++) {
        found[i * count + c] = exact[c]!.j;
        distances[i * count + c] = Math.sqrt(exact[c]!.far);
      }
    }
  }
  return { count, rows: found, distances };
}

/** Rows around 0 and of about length 1, so that products in float32 say how far they are apart. */
export function standing({ data, shape }: Tensor<"float32">): Tensor<"float32"> {
  const d = shape[1]!;
  const moments = new Moments(d);
  for (let at = 0; at < data.length; at += d) moments.add(data, at);
  const spread = Math.sqrt(moments.squares.reduce((sum, squares) => sum + squares, 0) / moments.count) || 1;
  return tensor(
    "float32",
    shape,
    data.map((value, at) => (value - moments.mean[at % d]!) / spread),
  );
}

/** sᵢⱼ = 1 where i is one of j's nearest or j one of i's, else 0. */
export async function zeroOneGraph(near: Neighbours, pace: Pace): Promise<Graph> {
  const graph = await neighbourGraph(near, pace);
  return { ...graph, weights: graph.weights.map(() => 1) };
}

/** Rows from one to another, as they lie. */
export function rowsBetween({ data, shape }: Tensor<"float32">, from: number, to: number): Tensor<"float32"> {
  const d = shape[1]!;
  return tensor("float32", [to - from, d], data.subarray(from * d, to * d));
}

/** ‖x‖² of each row. */
export function squaresOf({ data, shape }: Tensor<"float32">): Float64Array {
  const [n, d] = shape as [number, number];
  const squares = new Float64Array(n);
  for (let i = 0; i < n; i++) for (let c = 0; c < d; c++) squares[i]! += data[i * d + c]! ** 2;
  return squares;
}

/** Which `count` of m have the least values, in no order. */
function leastOf(m: number, count: number, value: (j: number) => number): Int32Array {
  const [which, values] = [new Int32Array(count), new Float64Array(count)];
  let [kept, worst] = [0, 0];
  for (let j = 0; j < m; j++) {
    const now = value(j);
    if (kept === count && !(now < values[worst]!)) continue;
    if (now === Number.POSITIVE_INFINITY) continue;
    const at = kept < count ? kept++ : worst;
    which[at] = j;
    values[at] = now;
    if (kept < count) continue;
    worst = 0;
    for (let c = 1; c < count; c++) if (values[c]! > values[worst]!) worst = c;
  }
  return which;
}
