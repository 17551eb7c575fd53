/** Where centers go that have lost all their rows. */

import { squaredDistance } from "../numerics/distances.ts";
import { farRows } from "../numerics/kmeans.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";

/** Rows as they are now, or a sample of them. */
interface Rows {
  /** [m, latent], beside the centers [k, latent]. */
  readonly codes: Tensor<"float32">;
  /** The cluster of each, and the one it was taught, −1 for none. */
  readonly labels: Int32Array;
  readonly taught?: Int32Array;
  readonly centers: Tensor<"float32">;
}

/** Each place is the best of so many. */
const trials = 4;

/**
 * The centers, with those of empty clusters on the code of a row. Where rows were taught to be in such a cluster, of
 * the one that is nearest to their mean; else of one that is far from every center and has others near it, drawn as
 * k-means++ does. The last row of another cluster is left where it is. Nothing where all codes are on centers already.
 */
export function refilled(
  { codes, labels, taught, centers }: Rows,
  empty: readonly number[],
  random: Random,
): Tensor<"float32"> | undefined {
  const d = codes.shape[1]!;
  const placed = centers.data.slice();
  const put = (cluster: number, row: number): void =>
    placed.set(codes.data.subarray(row * d, (row + 1) * d), cluster * d);

  const untaught: number[] = [];
  for (const cluster of empty) {
    const own = taught ? middleOf(codes, taught, cluster) : undefined;
    if (own === undefined) untaught.push(cluster);
    else put(cluster, own);
  }

  const sizes = new Int32Array(centers.shape[0]!);
  for (const label of labels) sizes[label]!++;
  const far = Float64Array.from(labels, (label, i) =>
    sizes[label] === 1 ? 0 : squaredDistance(codes.data, i, centers.data, label, d),
  );
  if (!far.some((distance) => distance > 0)) return untaught.length < empty.length ? result() : undefined;
  farRows(codes, far, untaught.length, random, trials).forEach((row, at) => {
    put(untaught[at]!, row);
  });
  return result();

  function result(): Tensor<"float32"> {
    return tensor("float32", centers.shape, placed);
  }
}

/** Of the rows that were taught to be in a cluster, the one that is nearest to their mean. */
function middleOf(codes: Tensor<"float32">, taught: Int32Array, cluster: number): number | undefined {
  const rows = Int32Array.from(taught.keys()).filter((row) => taught[row] === cluster);
  if (rows.length === 0) return undefined;
  const { data, shape } = takeRows(codes, rows);
  const d = shape[1]!;
  const mean = new Float32Array(d);
  data.forEach((value, at) => {
    mean[at % d]! += value / rows.length;
  });
  const distances = Array.from(rows, (_, i) => squaredDistance(data, i, mean, 0, d));
  return rows[distances.indexOf(Math.min(...distances))];
}
