/** A few of things that pass by once, however many they are. */

import { Random } from "../tensor/random.ts";

/** So many are kept: quantiles of more are within about 1 % of rows (3 deviations at the median: 2.3 %). */
const sampleSize = 4096;

/** All of few, else a random sample in which each is equally likely (Vitter's reservoir). */
export class Reservoir<T> {
  readonly items: T[] = [];
  readonly #random: Random;
  #count = 0;

  constructor(name: string) {
    this.#random = Random.seeded(0).fork(name);
  }

  /** How many have passed by. */
  get count(): number {
    return this.#count;
  }

  add(item: T): void {
    this.#count++;
    if (this.items.length < sampleSize) {
      this.items.push(item);
      return;
    }
    const place = this.#random.below(this.#count);
    if (place < sampleSize) this.items[place] = item;
  }
}
