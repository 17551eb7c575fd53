/** Three clouds of points that any clustering finds, and small networks to find them with. */

import { Random } from "../../src/tensor/random.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";

const places = [
  [0.1, 0.2, 0.9, 0.3],
  [0.9, 0.3, 0.1, 0.5],
  [0.2, 0.9, 0.4, 0.9],
];

export interface Blobs {
  readonly rows: Tensor<"float32">;
  readonly labels: Int32Array;
}

/** `n` points in four dimensions around three places, in turn; numbers from about 0 to 1. */
export function blobs(n = 120, { deviation = 0.03, seed = 7 } = {}): Blobs {
  const noise = Random.seeded(seed).normals(n * 4);
  const data = noise.map((value, at) => places[Math.floor(at / 4) % 3]![at % 4]! + deviation * value);
  return { rows: tensor("float32", [n, 4], data), labels: Int32Array.from({ length: n }, (_, i) => i % 3) };
}

/** Options that make any method small and quick. */
export const tiny = { hidden: [8], latent: 3, batch: 20, pretraining: 20, epochs: 6, restarts: 1, startRestarts: 2 };
