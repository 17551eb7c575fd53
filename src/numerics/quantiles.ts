/** Quantiles of numbers, all at hand or passing by once. */

import { Reservoir } from "./reservoir.ts";

/** Quantiles of numbers, however many: exact for few, else from a random sample. */
export class Quantiles {
  readonly #sample: Reservoir<number>;
  #least = Number.POSITIVE_INFINITY;
  #largest = Number.NEGATIVE_INFINITY;

  constructor(name: string) {
    this.#sample = new Reservoir(name);
  }

  add(value: number): void {
    this.#least = Math.min(this.#least, value);
    this.#largest = Math.max(this.#largest, value);
    this.#sample.add(value);
  }

  /** Below which 0, 1/steps, … 1 of the numbers are; the first and the last are exact. Empty where there were none. */
  at(steps: number): number[] {
    if (this.#sample.count === 0) return [];
    const order = Float64Array.from(this.#sample.items).sort();
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
