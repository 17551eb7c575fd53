import { add, divide, isPositive, log, multiply, power, relu, sqrt, square, subtract } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { mean, sum } from "../graph/reduce.ts";
import {
  cityBlockDistances,
  cityBlockParts,
  correlationDistances,
  correlationParts,
  cosineDistances,
  cosineParts,
  squaredDistances,
  squaredParts,
} from "../nn/distances.ts";

/** The distances that an assignment can be made by. */
export type Metric = "euclidean" | "cosine" | "correlation" | "cityBlock";

/**
 * I8–I11: z by the distance of each name. As printed, cosine and correlation are similarities; and 1 − similarity has another scale than
 * a distance, so that Q₂ comes out flat and pulls everything together. On a sphere of radius R, R·√(2(1 − cos)) is the distance itself.
 * A city-block distance is √(2d/π) times as long as the straight line, on average over directions.
 */
export const distancesBy: Readonly<Record<Metric, (h: Node, centers: Node, radius: Node) => Node>> = {
  euclidean: (h, centers) => sqrt(add(squaredDistances(h, centers), 1e-12)),
  cosine: (h, centers, radius) => chord(cosineDistances(h, centers), radius),
  correlation: (h, centers, radius) => chord(correlationDistances(h, centers), radius),
  cityBlock: (h, centers) => divide(cityBlockDistances(h, centers), Math.sqrt((2 * (h.shape[1] as number)) / Math.PI)),
};

/** What each number of a code adds to the distance of each name, or to what that distance follows. */
export const partsBy: Readonly<Record<Metric, (h: Node, centers: Node) => Node>> = {
  euclidean: squaredParts,
  cosine: cosineParts,
  correlation: correlationParts,
  cityBlock: cityBlockParts,
};

/** I9, I10: the straight line between two points of a sphere, from 1 − the cosine of their angle. */
export function chord(distance: Node, radius: Node): Node {
  return multiply(sqrt(add(multiply(relu(distance), 2), 1e-6)), radius);
}

/** I7: Q₁ = max(0, uᵢ − zᵢⱼ), uᵢ the mean of zᵢ over the centers. */
export function positiveCloseness(z: Node): Node {
  return relu(subtract(mean(z, { axes: [1], keep: true }), z));
}

/** I8: Q₂ = (1 + z²)⁻¹ / Σⱼ (1 + z²)⁻¹. */
export function studentCloseness(z: Node): Node {
  const near = divide(1, add(square(z), 1));
  return divide(near, sum(near, { axes: [1], keep: true }));
}

/** I6: P = (Qʳ/f) / Σⱼ (Qʳ/f). */
export function assignmentProbability(q: Node, f: Node, r: number): Node {
  return normalized(divide(power(q, r), f));
}

/** f: how much of the rows each cluster has, by Qʳ alone. (The paper names f and does not define it.) A little is added: none has nothing. */
export function frequencies(q: Node, r: number): Node {
  return add(mean(normalized(power(q, r)), { axes: [0] }), 1e-3 / (q.shape[1] as number));
}

/** I4, I5: L = mean over rows of Σⱼ P₂ log(P₂/P₁), with ε added to both. */
export function invarianceLoss(p2: Node, p1: Node, epsilon: number): Node {
  const ratio = subtract(log(add(p2, epsilon)), log(add(p1, epsilon)));
  return mean(sum(multiply(p2, ratio), { axes: [1] }));
}

/** I12: the label is argmaxⱼ P₁. u − (u − zⱼ)·(k·fⱼ)^(−1/r) is least there, and is z itself where all f are 1/k. */
export function distanceByFirst(z: Node, f: Node, r: number): Node {
  const u = mean(z, { axes: [1], keep: true });
  return subtract(u, divide(subtract(u, z), relative(f, r)));
}

/** Table VI: the label by P₂ instead. (1 + z²)·(k·fⱼ)^(1/r) − 1 is least where P₂ is largest, and is z² where all f are 1/k. */
export function distanceBySecond(z: Node, f: Node, r: number): Node {
  return subtract(multiply(add(square(z), 1), relative(f, r)), 1);
}

const relative = (f: Node, r: number): Node => power(multiply(f, f.shape[0] as number), 1 / r);
/** Rows to the sum 1; a row of zeros to 1/k each. */
function normalized(x: Node): Node {
  const total = sum(x, { axes: [1], keep: true });
  const empty = subtract(1, isPositive(total));
  return add(divide(x, add(total, empty)), divide(empty, x.shape[1] as number));
}
