/** Where most methods take their first centers from. */

import type { Variable } from "../graph/node.ts";
import { type KMeansOptions, kmeans, plusPlus, unitTensor } from "../numerics/kmeans.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";

/**
 * Where first centers come from: k-means, its ++ start alone, rows drawn at random, or numbers that the method draws
 * itself.
 */
export type StartName = "kmeans" | "kmeans++" | "rows" | "random";

/** Centers for a start by name; none for `random`, where the method's own first values stay. */
export function firstCenters(
  start: StartName,
  codes: Tensor<"float32">,
  k: number,
  random: Random,
  options: KMeansOptions = {},
): Tensor<"float32"> | undefined {
  const points = options.spherical ? unitTensor(codes) : codes;
  if (start === "kmeans") return kmeans(points, k, random, options).centers;
  if (start === "kmeans++") return plusPlus(points, k, random);
  return start === "rows" ? takeRows(points, random.permutation(points.shape[0]!).subarray(0, k)) : undefined;
}

/** The pairs that have a value. */
export function firstValues(...pairs: readonly (readonly [Variable, Tensor | undefined])[]): Map<Variable, Tensor> {
  return new Map(pairs.filter((pair): pair is [Variable, Tensor] => pair[1] !== undefined));
}
