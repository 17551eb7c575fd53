/** A map that moves: codes of the same rows again and again, each picture begun where the last one ended. */

import { embedNeighbours } from "../numerics/embedding/embedNeighbours.ts";
import { framed } from "../numerics/embedding/framed.ts";
import { paceOf } from "../numerics/pace.ts";
import { aligned } from "../numerics/procrustes.ts";
import { Random } from "../tensor/random.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { approximate, checkCodes } from "./map.ts";

/** Rounds of the first picture, and of each that follows. */
const [firstRounds, rounds] = [60, 12];

/** How far a picture goes beyond what the rounds have moved: less is calmer. */
const followed = 0.7;

export class MovingMap {
  readonly #seed: number;
  #last: Float64Array | undefined;

  /** `last`: where the rows were, to go on from there. */
  constructor(seed = 0, last?: Float64Array) {
    this.#seed = seed;
    this.#last = last;
  }

  /**
   * Where rows are now, [n, 2], about from −1 to 1. Few rounds from the last positions, turned onto them: what moves is
   * what the network has moved, and not the picture.
   */
  async next(codes: Tensor<"float32">, signal?: AbortSignal): Promise<Float32Array> {
    checkCodes("map", codes);
    const n = codes.shape[0]!;
    const last = this.#last?.length === 2 * n && this.#last.some((value) => value !== 0) ? this.#last : undefined;
    const { data } = await embedNeighbours(codes, {
      dimensions: 2,
      epochs: last ? rounds : firstRounds,
      approximate,
      random: Random.seeded(this.#seed).fork("moving map"),
      pace: paceOf(signal),
      ...(last && { start: tensor("float64", [n, 2], last) }),
    });
    const now = Float64Array.from(framed(data, 2).data);
    if (last) {
      const onto = aligned(now, last);
      this.#last = last.map((value, at) => value + followed * (onto[at]! - value));
    } else this.#last = now;
    return Float32Array.from(this.#last);
  }
}
