/** One pass over the ties: tied rows are pulled together, and others pushed apart. */

import type { Forces } from "./curve.ts";
import type { Ties } from "./ties.ts";

/** Rows that are pushed away for each pair that is pulled together. */
const pushed = 5;

/** Longest step in one coordinate. */
const longest = 4;

/** All that a pass needs: typed arrays and a number, so that nothing is allocated on the way. */
export interface Descent {
  /** [n, dimensions]. */
  readonly positions: Float64Array;
  readonly dimensions: number;
  readonly ties: Ties;
  readonly forces: Forces;
  /** The share of the epochs in which each tie has its turn, and how much of a turn it has saved up. */
  readonly shares: Float32Array;
  readonly saved: Float32Array;
  /** The state of the draws, one word that is not 0. */
  readonly words: Int32Array;
}

/** Gives the ties from `from` to `to` their turn, with steps of this length. */
export function descend(descent: Descent, from: number, to: number, step: number): void {
  if (descent.dimensions === 2) descendInPlane(descent, from, to, step);
  else descendInSpace(descent, from, to, step);
}

/** In any number of dimensions. */
export function descendInSpace(
  { positions: y, dimensions: m, ties: { heads, tails }, forces: { pull, push }, shares, saved, words }: Descent,
  from: number,
  to: number,
  step: number,
): void {
  const n = y.length / m;
  const squared = new Float32Array(1);
  const bits = new Int32Array(squared.buffer);
  // Marsaglia's xorshift, 2003: half a billion draws, for which the project's own generator is too slow and too good.
  let word = words[0]!;
  for (let e = from; e < to; e++) {
    saved[e]! += shares[e]!;
    if (saved[e]! < 1) continue;
    saved[e]! -= 1;
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    // A pair is kept once; which of the two is pushed away from others is drawn.
    const i = m * (word < 0 ? heads[e]! : tails[e]!);
    const j = m * (word < 0 ? tails[e]! : heads[e]!);
    squared[0] = squaredApart(y, i, j, m);
    const pulled = pull[bits[0]! >>> 16]!;
    for (let c = 0; c < m; c++) {
      const nearer = step * clipped(pulled * (y[i + c]! - y[j + c]!));
      y[i + c]! += nearer;
      y[j + c]! -= nearer;
    }
    for (let other = 0; other < pushed; other++) {
      word ^= word << 13;
      word ^= word >>> 17;
      word ^= word << 5;
      const k = m * Math.floor((word >>> 0) * 2 ** -32 * n);
      if (k === i) continue;
      squared[0] = squaredApart(y, i, k, m);
      const away = push[bits[0]! >>> 16]!;
      for (let c = 0; c < m; c++) y[i + c]! += step * clipped(away * (y[i + c]! - y[k + c]!));
    }
  }
  words[0] = word;
}

/** The same in two dimensions, to the bit, with the coordinates as local numbers: pictures are drawn by this. */
function descendInPlane(
  { positions: y, ties: { heads, tails }, forces: { pull, push }, shares, saved, words }: Descent,
  from: number,
  to: number,
  step: number,
): void {
  const n = y.length / 2;
  const squared = new Float32Array(1);
  const bits = new Int32Array(squared.buffer);
  let word = words[0]!;
  for (let e = from; e < to; e++) {
    saved[e]! += shares[e]!;
    if (saved[e]! < 1) continue;
    saved[e]! -= 1;
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    const i = 2 * (word < 0 ? heads[e]! : tails[e]!);
    const j = 2 * (word < 0 ? tails[e]! : heads[e]!);
    let xi = y[i]!;
    let yi = y[i + 1]!;
    let dx = xi - y[j]!;
    let dy = yi - y[j + 1]!;
    squared[0] = dx * dx + dy * dy;
    const pulled = pull[bits[0]! >>> 16]!;
    dx = step * clipped(pulled * dx);
    dy = step * clipped(pulled * dy);
    xi += dx;
    yi += dy;
    y[j]! -= dx;
    y[j + 1]! -= dy;
    for (let other = 0; other < pushed; other++) {
      word ^= word << 13;
      word ^= word >>> 17;
      word ^= word << 5;
      const k = 2 * Math.floor((word >>> 0) * 2 ** -32 * n);
      if (k === i) continue;
      dx = xi - y[k]!;
      dy = yi - y[k + 1]!;
      squared[0] = dx * dx + dy * dy;
      const away = push[bits[0]! >>> 16]!;
      xi += step * clipped(away * dx);
      yi += step * clipped(away * dy);
    }
    y[i] = xi;
    y[i + 1] = yi;
  }
  words[0] = word;
}

function squaredApart(y: Float64Array, i: number, j: number, m: number): number {
  let sum = 0;
  for (let c = 0; c < m; c++) {
    const apart = y[i + c]! - y[j + c]!;
    sum += apart * apart;
  }
  return sum;
}

function clipped(value: number): number {
  return value > longest ? longest : value < -longest ? -longest : value;
}
