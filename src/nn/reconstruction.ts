/** How far what a network draws of a code is from the row: squared error, of categories cross-entropy. */

import { flatten } from "../graph/arrange.ts";
import { add, divide, multiply, sqrt, square, subtract } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
import { mean, sum } from "../graph/reduce.ts";
import type { Autoencoder } from "./autoencoders.ts";
import type { Pass } from "./layers.ts";
import { meanOfRows, meanSquaredError, squaredDistance } from "./losses.ts";

/** L = mean of (x̂ − x)² over rows and columns; where rows have categories, as many columns as people see. */
export function meanReconstruction(network: Autoencoder, z: Node, x: Node, pass: Pass): Node {
  if (!network.errors) return meanSquaredError(network.decode(z, pass), x);
  return divide(meanOfRows(network.errors(z, x, pass)), network.columns!);
}

/** L = mean over rows of ‖x̂ − x‖². */
export function summedReconstruction(network: Autoencoder, z: Node, x: Node, pass: Pass): Node {
  if (!network.errors) return squaredDistance(network.decode(z, pass), x);
  return meanOfRows(network.errors(z, x, pass));
}

/** L = mean over rows of 1 − cos(x̂, x); a row of zeros counts 1. */
export function cosineReconstruction(network: Autoencoder, z: Node, x: Node, pass: Pass): Node {
  const [a, b] = [flatten(network.decode(z, pass)), flatten(x)];
  const length = (rows: Node): Node => sqrt(add(sum(square(rows), { axes: [1] }), 1e-12));
  const cosine = divide(sum(multiply(a, b), { axes: [1] }), multiply(length(a), length(b)));
  return mean(subtract(1, cosine));
}
