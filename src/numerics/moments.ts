/** Means and deviations of rows that pass by once. */

/**
 * Means and deviations of each number of a row (Welford: no digits are lost, however large the numbers or many the
 * rows).
 */
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
