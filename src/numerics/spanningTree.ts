/** The shortest tree that joins all rows, where dense regions count as nearer. */

import type { Tensor } from "../tensor/tensor.ts";
import { squaredDistance } from "./distances.ts";
import type { Pace } from "./pace.ts";

/** Two rows that the tree joins, and how far they are apart. */
export interface Branch {
  readonly one: number;
  readonly other: number;
  readonly length: number;
}

/**
 * The minimum spanning tree of the mutual reachability of rows (Prim's algorithm, 1957: n²/2 distances),
 *
 *   mᵢⱼ = max(coreᵢ, coreⱼ, ‖xᵢ − xⱼ‖),
 *
 * its n − 1 branches from the shortest; of equally long ones, in the order in which they were found.
 */
export async function spanningTree(
  { data, shape }: Tensor<"float32">,
  core: Float64Array,
  pace: Pace,
): Promise<Branch[]> {
  const [n, d] = shape as [number, number];
  // Of the rows outside the tree: the shortest way into it, and to which row.
  const outside = Int32Array.from({ length: n - 1 }, (_, at) => at + 1);
  const shortest = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const toward = new Int32Array(n);
  const branches: Branch[] = [];
  let last = 0;
  for (let count = n - 1; count > 0; count--) {
    await pace();
    let nearest = 0;
    for (let at = 0; at < count; at++) {
      const row = outside[at]!;
      const least = Math.max(core[last]!, core[row]!);
      // The distance itself is only needed where it could matter.
      if (least < shortest[row]!) {
        const m = Math.max(least, Math.sqrt(squaredDistance(data, last, data, row, d)));
        if (m < shortest[row]!) {
          shortest[row] = m;
          toward[row] = last;
        }
      }
      const best = outside[nearest]!;
      if (shortest[row]! < shortest[best]! || (shortest[row] === shortest[best] && row < best)) nearest = at;
    }
    last = outside[nearest]!;
    outside[nearest] = outside[count - 1]!;
    branches.push({ one: toward[last]!, other: last, length: shortest[last]! });
  }
  return branches.sort((a, b) => a.length - b.length);
}
