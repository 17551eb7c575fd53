/** Which rows are meant: a bit for each, shared by the map, the panels and the table. */

export class Mask {
  readonly bits: Uint8Array;
  /** How many rows there are. */
  readonly length: number;
  #count = -1;

  constructor(length: number, bits: Uint8Array = new Uint8Array(Math.ceil(length / 8))) {
    this.length = length;
    this.bits = bits;
  }

  static where(length: number, isMeant: (row: number) => boolean): Mask {
    const mask = new Mask(length);
    for (let row = 0; row < length; row++) if (isMeant(row)) mask.bits[row >> 3]! |= 1 << (row & 7);
    return mask;
  }

  static of(length: number, rows: Iterable<number>): Mask {
    const mask = new Mask(length);
    for (const row of rows) if (row < length) mask.bits[row >> 3]! |= 1 << (row & 7);
    return mask;
  }

  has(row: number): boolean {
    return ((this.bits[row >> 3]! >> (row & 7)) & 1) === 1;
  }

  /** The rows of both. */
  and(other: Mask): Mask {
    return new Mask(
      this.length,
      this.bits.map((bits, i) => bits & other.bits[i]!),
    );
  }

  get count(): number {
    if (this.#count < 0) {
      this.#count = 0;
      for (let bits of this.bits) for (; bits > 0; bits &= bits - 1) this.#count++;
    }
    return this.#count;
  }

  rows(most = Infinity): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.length && rows.length < most; row++) if (this.has(row)) rows.push(row);
    return rows;
  }

  /** As the server takes it. */
  base64(): string {
    let binary = "";
    // In parts, since a call takes only so many arguments.
    for (let at = 0; at < this.bits.length; at += 8192) {
      binary += String.fromCharCode(...this.bits.subarray(at, at + 8192));
    }
    return btoa(binary);
  }
}
