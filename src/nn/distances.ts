/**
 * How far each of n codes is from each of k centers: [n, d] and [k, d] give [n, k].
 * Beside each distance, its parts: what each number of a code adds to it, [n, k, d].
 */

import { reshape } from "../graph/arrange.ts";
import {
  abs,
  add,
  divide,
  isPositive,
  multiply,
  negate,
  relu,
  sqrt,
  square,
  stopGradient,
  subtract,
} from "../graph/elementwise.ts";
import { constant, type Node } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { max, mean, norm, sum } from "../graph/reduce.ts";
import type { Size } from "../graph/size.ts";
import { fromNumbers } from "../tensor/tensor.ts";

/**
 * ‖z − ω‖² = ‖z‖² − 2zᵀω + ‖ω‖², and at least 0, which rounding alone would not promise.
 * Both are first moved by the mean of the centers, which changes no distance: far from the origin the three terms would
 * be large, and their difference would have no digits left.
 */
export function squaredDistances(z: Node, centers: Node): Node {
  const middle = stopGradient(mean(centers, { axes: [0], keep: true }));
  const [a, b] = [subtract(z, middle), subtract(centers, middle)];
  const lengths = add(sum(square(a), { axes: [1], keep: true }), sum(square(b), { axes: [1] }));
  return relu(subtract(lengths, multiply(matmul(a, b, { transposeB: true }), 2)));
}

/** ‖z − ω‖, with a finite slope where both are the same. */
export function euclideanDistances(z: Node, centers: Node): Node {
  return sqrt(add(squaredDistances(z, centers), 1e-12));
}

/** (zᵢ − ωᵢ)². */
export function squaredParts(z: Node, centers: Node): Node {
  return square(differences(z, centers));
}

/** Wᵢzᵢ: what each number adds to Wᵀz. */
export function productParts(z: Node, W: Node): Node {
  const [n, k, d] = sizes(z, W);
  return multiply(reshape(z, [n, 1, d]), reshape(W, [1, k, d]));
}

/** 1 − cos(z, ω). */
export function cosineDistances(z: Node, centers: Node): Node {
  return subtract(1, matmul(unitRows(z), unitRows(centers), { transposeB: true }));
}

/** ½(uᵢ − vᵢ)² for u = z/‖z‖ and v = ω/‖ω‖: 1 − uᵀv = ½‖u − v‖². */
export function cosineParts(z: Node, centers: Node): Node {
  return multiply(squaredParts(unitRows(z), unitRows(centers)), 0.5);
}

/** 1 − the correlation of z and ω: their cosine once each has lost its own mean. */
export function correlationDistances(z: Node, centers: Node): Node {
  return cosineDistances(centered(z), centered(centers));
}

/** The parts of the cosine, once each has lost its own mean. */
export function correlationParts(z: Node, centers: Node): Node {
  return cosineParts(centered(z), centered(centers));
}

/** I9, I10: R·√(2(1 − cos)), the straight line between two points of a sphere, from 1 − the cosine of their angle. */
export function chord(distance: Node, radius: Node): Node {
  return multiply(sqrt(add(multiply(relu(distance), 2), 1e-6)), radius);
}

/** Σ |z − ω|: as many steps as a taxi takes. */
export function cityBlockDistances(z: Node, centers: Node): Node {
  return sum(cityBlockParts(z, centers), { axes: [2] });
}

/** |zᵢ − ωᵢ|. */
export function cityBlockParts(z: Node, centers: Node): Node {
  return abs(differences(z, centers));
}

/** Distances by name; and their parts, or those of what a distance follows. */
export const distancesOf = {
  euclidean: euclideanDistances,
  cosine: cosineDistances,
  correlation: correlationDistances,
  cityBlock: cityBlockDistances,
} as const;

export type Metric = keyof typeof distancesOf;

export const partsOf: Readonly<Record<Metric, (z: Node, centers: Node) => Node>> = {
  euclidean: squaredParts,
  cosine: cosineParts,
  correlation: correlationParts,
  cityBlock: cityBlockParts,
};

/**
 * Parts pᵢ ≥ 0 of something that a distance follows, [n, k, m], in proportion made parts of the distance itself, [n,
 * k]: d·pᵢ/Σp. Where all are 0 each gets the same, so that they always add up.
 */
export function inProportion(parts: Node, distances: Node): Node {
  const some = add(parts, 1e-30);
  const [n, k] = distances.shape;
  return multiply(divide(some, sum(some, { axes: [2], keep: true })), reshape(distances, [n!, k!, 1]));
}

/** x / ‖x‖ for each row. */
export function unitRows(x: Node): Node {
  return divide(x, norm(x, { axes: [1], keep: true }));
}

/**
 * 1 for the nearest center of each row, 0 for the others; of equals, the first. No gradient flows.
 * It is oneHot(argmin(distances)) written in float32 alone: integers would leave a GPU at every step.
 */
export function nearest(distances: Node): Node {
  const fixed = stopGradient(distances);
  const k = fixed.shape[1] as number;
  const least = negate(max(negate(fixed), { axes: [1], keep: true }));
  const position = constant(
    fromNumbers(
      "float32",
      [k],
      Array.from({ length: k }, (_, j) => j),
    ),
  );
  const farther = isPositive(subtract(fixed, least));
  const first = negate(max(negate(add(position, multiply(farther, k))), { axes: [1], keep: true }));
  return relu(subtract(1, abs(subtract(position, first))));
}

function centered(x: Node): Node {
  return subtract(x, mean(x, { axes: [1], keep: true }));
}

/** z − ω, [n, k, d]. */
function differences(z: Node, centers: Node): Node {
  const [n, k, d] = sizes(z, centers);
  return subtract(reshape(z, [n, 1, d]), reshape(centers, [1, k, d]));
}

function sizes(z: Node, centers: Node): [n: Size, k: Size, d: Size] {
  return [z.shape[0]!, centers.shape[0]!, centers.shape[1]!];
}
