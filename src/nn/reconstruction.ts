/** How far what a network draws of a code is from the row: squared error, of categories cross-entropy. */

import { divide } from "../graph/elementwise.ts";
import type { Node } from "../graph/node.ts";
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
