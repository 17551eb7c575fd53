/** Rows in forms that some clusterings find and others do not, with the labels they were made by. */

import { Random } from "../../src/tensor/random.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import type { Blobs } from "../support/blobs.ts";

/** `n` rows of two columns, in turn from each of the drawings, each with its own number as label. */
function drawn(n: number, seed: number, drawings: ((u: number, a: number, b: number) => [number, number])[]): Blobs {
  const random = Random.seeded(seed);
  const along = random.uniforms(n);
  const noise = random.normals(2 * n);
  const labels = Int32Array.from({ length: n }, (_, i) => i % drawings.length);
  const data = Float32Array.from(
    [...labels].flatMap((label, i) => drawings[label]!(along[i]!, noise[2 * i]!, noise[2 * i + 1]!)),
  );
  return { rows: tensor("float32", [n, 2], data), labels };
}

/** Two half circles, one in the arms of the other. */
export const moons = (n = 200): Blobs =>
  drawn(n, 1, [
    (u, a, b) => [Math.cos(Math.PI * u) + 0.05 * a, Math.sin(Math.PI * u) + 0.05 * b],
    (u, a, b) => [1 - Math.cos(Math.PI * u) + 0.05 * a, 0.5 - Math.sin(Math.PI * u) + 0.05 * b],
  ]);

/** A ring around a ring. */
export const rings = (n = 240): Blobs =>
  drawn(
    n,
    2,
    [1, 0.4].map((radius) => (u: number, a: number, b: number) => [
      radius * Math.cos(2 * Math.PI * u) + 0.04 * a,
      radius * Math.sin(2 * Math.PI * u) + 0.04 * b,
    ]),
  );

/** Three long thin clouds beside each other. */
export const sticks = (n = 240): Blobs =>
  drawn(
    n,
    3,
    [0, 1, 2].map((at) => (_: number, a: number, b: number) => [2.5 * a, 1.2 * at + 0.1 * b]),
  );

/** A wide cloud, and two narrow ones at its border. */
export const widths = (n = 300): Blobs =>
  drawn(n, 4, [
    (_, a, b) => [2 * a, 2 * b],
    (_, a, b) => [7 + 0.15 * a, 0.15 * b],
    (_, a, b) => [7.9 + 0.15 * a, 1 + 0.15 * b],
  ]);

/** Three directions, with rows of all lengths. */
export const directions = (n = 180): Blobs =>
  drawn(
    n,
    5,
    [0, 2, 4].map((angle) => (u: number, a: number) => {
      const length = 0.1 + 10 * u * u;
      return [length * Math.cos(angle + 0.1 * a), length * Math.sin(angle + 0.1 * a)];
    }),
  );

/** Three clouds of 8 columns that lie apart. */
export function manyRows(n: number): { rows: Tensor<"float32">; labels: Int32Array } {
  const noise = Random.seeded(6).normals(n * 8);
  const labels = Int32Array.from({ length: n }, (_, i) => i % 3);
  const data = noise.map((value, at) => 0.1 * value + ((at % 8) % 3 === labels[Math.floor(at / 8)] ? 1 : 0));
  return { rows: tensor("float32", [n, 8], data), labels };
}
