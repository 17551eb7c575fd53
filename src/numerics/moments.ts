/** Means, deviations and quantiles of rows that pass by once. */

import { Random } from "../tensor/random.ts";

/** Means and deviations of each number of a row (Welford: no digits are lost, however large the numbers or many the rows). */
export class Moments {
  count = 0;
  readonly mean: Float64Array;
  /** Σ (x − mean)². */
  readonly squares: Float64Array;

  constructor(width: number) {
    this.mean = new Float64Array(width);
    this.squares = new Float64Array(width);
  }

  /** Takes the row that begins at this place. */
  add(values: ArrayLike<number>, at: number): void {
    const { mean, squares } = this;
    const n = ++this.count;
    for (let i = 0; i < mean.length; i++) {
      const value = values[at + i]!;
      const before = value - mean[i]!;
      mean[i]! += before / n;
      squares[i]! += before * (value - mean[i]!);
    }
  }

  /** Takes all rows that another has seen (Chan, Golub & LeVeque): Σ = Σ₁ + Σ₂ + (m₂ − m₁)² n₁n₂/n. */
  merge(other: Moments): void {
    if (other.count === 0) return;
    const n = this.count + other.count;
    for (let i = 0; i < this.mean.length; i++) {
      const apart = other.mean[i]! - this.mean[i]!;
      this.squares[i]! += other.squares[i]! + (apart * apart * this.count * other.count) / n;
      this.mean[i]! += (apart * other.count) / n;
    }
    this.count = n;
  }

  /** √(Σ (x − mean)²/n). */
  deviation(): Float64Array {
    return this.squares.map((sum) => Math.sqrt(sum / Math.max(1, this.count)));
  }

  /** The mean of the rows that some of these are not: (n·m − n₁·m₁)/(n − n₁). */
  meanWithout(some: Moments): Float64Array {
    const rest = this.count - some.count;
    return this.mean.map((mean, i) => (this.count * mean - some.count * some.mean[i]!) / rest);
  }
}

/** So many numbers are kept of each cluster: quantiles of more are within about 1 % of rows (3 deviations at the median: 2.3 %). */
const mostKept = 4096;

/** Quantiles of numbers, however many: exact for few, else from a random sample in which each is equally likely (Vitter's reservoir). */
export class Quantiles {
  readonly #kept: number[] = [];
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
    if (this.#kept.length < mostKept) {
      this.#kept.push(value);
      return;
    }
    const place = this.#random.below(this.#count);
    if (place < mostKept) this.#kept[place] = value;
  }

  /** Below which 0, 1/steps, … 1 of the numbers are; the first and the last are exact. Empty where there were none. */
  at(steps: number): number[] {
    if (this.#count === 0) return [];
    const order = Float64Array.from(this.#kept).sort();
    return Array.from({ length: steps + 1 }, (_, q) => {
      if (q === 0) return this.#least;
      if (q === steps) return this.#largest;
      const place = (q / steps) * (order.length - 1);
      const below = Math.floor(place);
      const above = Math.min(below + 1, order.length - 1);
      return order[below]! + (place - below) * (order[above]! - order[below]!);
    });
  }
}
