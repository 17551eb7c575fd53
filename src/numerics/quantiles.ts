/** Quantiles of numbers, all at hand or passing by once. */

import { Random } from "../tensor/random.ts";

/** So many numbers are kept: quantiles of more are within about 1 % of rows (3 deviations at the median: 2.3 %). */
const sampleSize = 4096;

/**
 * Quantiles of numbers, however many: exact for few, else from a random sample in which each is equally likely
 * (Vitter's reservoir).
 */
export class Quantiles {
  readonly #sample: number[] = [];
  readonly #random: Random;
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #largest = Number.NEGATIVE_INFINITY;

  constructor(name: string) {
    this.#random = Random.seeded(0).fork(name);
  }

  add(value: number): void {
    this.#count++;
    this.#least = Math.min(this.#least, value);
    this.#largest = Math.max(this.#largest, value);
    if (this.#sample.length < sampleSize) {
      this.#sample.push(value);
      return;
    }
    const place = this.#random.below(this.#count);
    if (place < sampleSize) this.#sample[place] = value;
  }

  /** Below which 0, 1/steps, … 1 of the numbers are; the first and the last are exact. Empty where there were none. */
  at(steps: number): number[] {
    if (this.#count === 0) return [];
    const order = Float64Array.from(this.#sample).sort();
    return Array.from({ length: steps + 1 }, (_, q) => {
      if (q === 0) return this.#least;
      if (q === steps) return this.#largest;
      return quantileOf(order, q / steps);
    });
  }
}

/** Of numbers in order, that below which a share of them is: between the two that are nearest to it. */
export function quantileOf(order: Float64Array, share: number): number {
  const place = share * (order.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, order.length - 1);
  return order[below]! + (place - below) * (order[above]! - order[below]!);
}
