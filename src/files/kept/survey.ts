/** One look at every number: what is missing, what is not finite, the means and the range. */

import { own } from "../../data/own.ts";
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
    const [width, sums, present] = [this.#names.length, this.#sums, this.#present];
    const rows = x.length / width;
    let [low, high] = [this.#low, this.#high];
    for (let row = 0, i = 0; row < rows; row++) {
      for (let column = 0; column < width; column++, i++) {
        const value = x[i]!;
        if (Number.isNaN(value)) {
          this.missing++;
          this.#first ??= { row: first + row, column };
          continue;
        }
        if (!Number.isFinite(value)) {
          throw notFinite(this.#where, { row: first + row, column: this.#names[column]! }, value);
        }
        sums[column]! += value;
        present[column]! += 1;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    [this.#low, this.#high] = [low, high];
    this.rows += rows;
  }

  /** What stands for a missing value in each column; undefined where none is missing or may be. */
  filling(missing: Missing): readonly number[] | undefined {
    if (missing === "mean") return this.#names.map((name, column) => this.#mean(name, column));
    if (typeof missing === "object") {
      const byName = missing as Readonly<Record<string, number>>;
      return this.#names.map((name, column) =>
        this.#given(name, Array.isArray(missing) ? missing[column] : own(byName, name)),
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
      throw new RangeError(
        `${this.#where}: column ${name} has no values at all, so it has no mean; leave it out with --ignore`,
      );
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
    `${where}: every number must be finite and below 3.4e38, got a larger one in row ${row}, column ${column} (${value}); correct it, or leave the column out with --ignore`,
  );
}
