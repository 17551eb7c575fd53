/**
 * What k-meansNet's paper writes down on the way to its loss and no training computes (symbols as in
 * src/methods/kmeansnet.ts).
 */

import { multiply, square } from "../../../src/graph/elementwise.ts";
import type { Node } from "../../../src/graph/node.ts";
import { softmax, sum } from "../../../src/graph/reduce.ts";

/** K6: W = 2αΩ and b = −α‖Ω‖², for centers of any length. */
export function layerOf(centers: Node, alpha: number): { W: Node; b: Node } {
  return { W: multiply(centers, 2 * alpha), b: multiply(sum(square(centers), { axes: [1] }), -alpha) };
}

/** K14: f(z) = Σᵢ pᵢzᵢ, p = softmax(z): one number for each row of z. */
export function weighted(z: Node): Node {
  return sum(multiply(softmax(z), z), { axes: [1] });
}
