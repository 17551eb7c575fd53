/** Where values were missing, before anything was put in their place: a bit for each number. */

export class Holes {
  readonly #width: number;
  readonly #bits: Uint8Array;

  constructor(count: number, width: number) {
    this.#width = width;
    this.#bits = new Uint8Array(Math.ceil((count * width) / 8));
  }

  /** Rows as they come, NaN where a value is missing; `first` is the place of the first of them. */
  see(x: Float32Array, first: number): void {
    const from = first * this.#width;
    for (let i = 0; i < x.length; i++) {
      if (Number.isNaN(x[i])) this.#bits[Math.floor((from + i) / 8)]! |= 1 << ((from + i) % 8);
    }
  }

  /** The numbers of a row that were missing. */
  of(row: number): number[] {
    const from = row * this.#width;
    return Array.from({ length: this.#width }, (_, c) => c).filter(
      (c) => (this.#bits[Math.floor((from + c) / 8)]! >> ((from + c) % 8)) & 1,
    );
  }
}
