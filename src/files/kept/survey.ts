/** One look at every number: what is missing, what is not finite, the means and the range. */

import type { Missing } from "../openedRows.ts";

export class Survey {
  rows = 0;
  missing = 0;
  readonly #where: string;
  readonly #names: readonly string[];
  readonly #sums: Float64Array;
  readonly #present: Float64Array;
  #first: { row: number; column: number } | undefined;
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;

  constructor(where: string, names: readonly string[]) {
    this.#where = where;
    this.#names = names;
    this.#sums = new Float64Array(names.length);
    this.#present = new Float64Array(names.length);
  }

  /** Rows as float32, NaN where a value is missing; `first` is the number of the first of them. */
  see(x: Float32Array, first: number): void {
    const width = this.#names.length;
    for (let i = 0; i < x.length; i++) {
      const value = x[i]!;
      const column = i % width;
      if (Number.isNaN(value)) {
        this.missing++;
        this.#first ??= { row: first + Math.floor(i / width), column };
        continue;
      }
      if (!Number.isFinite(value)) {
        throw notFinite(this.#where, { row: first + Math.floor(i / width), column: this.#names[column]! }, value);
      }
      this.#sums[column]! += value;
      this.#present[column]! += 1;
      if (value < this.#low) this.#low = value;
      if (value > this.#high) this.#high = value;
    }
    this.rows += x.length / width;
  }

  /** What stands for a missing value in each column; undefined where none is missing or may be. */
  filling(missing: Missing): readonly number[] | undefined {
    if (missing === "mean") return this.#names.map((name, column) => this.#mean(name, column));
    if (typeof missing === "object") {
      const byName = missing as Readonly<Record<string, number>>;
      return this.#names.map((name, column) =>
        this.#given(name, Array.isArray(missing) ? missing[column] : byName[name]),
      );
    }
    if (this.#first) {
      const { row, column } = this.#first;
      throw new RangeError(
        `${this.#where}: ${this.missing === 1 ? "1 value is" : `${this.missing} values are`} missing, the first in row ${row}, column ${this.#names[column]}; fill them with --missing mean (missing: "mean"), or leave such rows out with --missing drop`,
      );
    }
    return undefined;
  }

  range(filled: readonly number[] | undefined): [number, number] {
    let [low, high] = [this.#low, this.#high];
    for (const value of this.missing > 0 && filled ? filled : [])
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    return [low, high];
  }

  #mean(name: string, column: number): number {
    if (this.#present[column] === 0) {
      throw new RangeError(`${this.#where}: column ${name} has no values at all, so it has no mean; leave it out`);
    }
    return Math.fround(this.#sums[column]! / this.#present[column]!);
  }

  #given(name: string, value: number | undefined): number {
    if (value === undefined || !Number.isFinite(value)) {
      throw new RangeError(`${this.#where}: missing must give a finite number for column ${name}, got ${value}`);
    }
    return Math.fround(value);
  }
}

export function notFinite(where: string, { row, column }: { row: number; column: string }, value: number): Error {
  return new RangeError(
    `${where}: every number must be finite and below 3.4e38, got a larger one in row ${row}, column ${column} (${value}); correct it, or leave the column out`,
  );
}
