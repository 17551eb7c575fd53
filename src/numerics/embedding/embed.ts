/** The picture, drawn by pulling tied rows together and pushing others apart. */

import type { Random } from "../../tensor/random.ts";
import type { Pace } from "../pace.ts";
import { type Curve, type Forces, forcesOf } from "./curve.ts";
import type { Ties } from "./ties.ts";

/** Rows that are pushed away for each pair that is pulled together. */
const pushed = 5;

/** Longest step in one coordinate. */
const longest = 4;

/** Ties between two looks at the clock. */
const piece = 8192;

/**
 * Moves positions [n, 2], in place, for so many epochs, downhill on the cross-entropy between ties and picture,
 *
 *   −Σ wᵢⱼ log φ(yᵢⱼ) − Σ log(1 − φ(yᵢⱼ)),
 *
 * the second sum over rows drawn at random. A tie of weight w has its turn in a share w / max w of the epochs. The step falls from 1 to 0.
 */
export async function embed(
  positions: Float64Array,
  ties: Ties,
  curve: Curve,
  epochs: number,
  random: Random,
  pace: Pace,
  onEpoch: (epoch: number) => void,
): Promise<void> {
  const size = ties.weights.length;
  const most = ties.weights.reduce((largest, weight) => Math.max(largest, weight), 0);
  const shares = ties.weights.map((weight) => weight / most);
  // How much of a turn each tie has saved up. Begun at different points, so that equal ties do not all move in the same epochs.
  const saved = random.uniforms(size);
  const forces = forcesOf(curve);
  const words = Int32Array.of(random.word() | 1);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const step = 1 - epoch / epochs;
    for (let from = 0; from < size; from += piece) {
      await pace();
      descend(positions, ties, shares, saved, from, Math.min(size, from + piece), forces, step, words);
    }
    onEpoch(epoch + 1);
  }
}

/** One turn of the ties from `from` to `to`. All that it needs lies in typed arrays and local numbers: nothing is allocated. */
function descend(
  y: Float64Array,
  { heads, tails }: Ties,
  shares: Float32Array,
  saved: Float32Array,
  from: number,
  to: number,
  { pull, push }: Forces,
  step: number,
  words: Int32Array,
): void {
  const n = y.length / 2;
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

function clipped(value: number): number {
  return value > longest ? longest : value < -longest ? -longest : value;
}
