/**
 * Bytes as they come, in pieces of any size, to lines that know where they are. A quoted cell of CSV may hold line
 * breaks.
 */

export interface Line {
  /** Without the line break. To be read before the next line is asked for. */
  readonly bytes: Uint8Array;
  /** The number of its first line, from 1. */
  readonly number: number;
  /** What people call it, where that is not its number. */
  readonly name?: string;
  /** Whether the input ended inside a quoted cell. */
  readonly unclosed: boolean;
}

export interface LinePosition {
  /** Bytes before it. */
  readonly offset: number;
  /** Line breaks before it. */
  readonly breaks: number;
}

/** How much of the input before a position is looked at to know it again. */
export const tailLength = 1 << 16;
/** A row of 100,000 numbers fits well; a quote that is never closed does not fill the memory. */
export const longestLine = 1 << 24;

const [lineBreak, carriageReturn, quote] = [10, 13, 34];
const byteOrderMark = [0xef, 0xbb, 0xbf];

export class LineReader {
  /**
   * The bytes that part cells, since quotes count only at the beginning of a cell; without them, quotes mean nothing.
   */
  separators: readonly number[] | undefined;
  readonly #where: string;
  #bytes: Uint8Array;
  #filled: number;
  /** Where #bytes begins in the input. All other places are in #bytes. */
  #origin: number;
  #start: number;
  #at: number;
  /** Nothing before this is asked for any more. */
  #needed: number;
  /** Up to here nothing but white has been found from the beginning of the line. */
  #blank = 0;
  #breaks: number;
  #breaksInside = 0;
  #cell: "begins" | "plain" | "quoted" | "closed" = "begins";

  /** From a position on, and the bytes right before it. */
  constructor(where: string, { offset, breaks }: LinePosition, tail: Uint8Array) {
    this.#where = where;
    this.#bytes = new Uint8Array(2 * tailLength);
    this.#bytes.set(tail);
    this.#filled = tail.length;
    this.#origin = offset - tail.length;
    this.#needed = 0;
    this.#start = tail.length;
    this.#at = tail.length;
    this.#breaks = breaks;
  }

  /** Where the next line begins. */
  get position(): LinePosition {
    return { offset: this.#origin + this.#start, breaks: this.#breaks };
  }

  push(chunk: Uint8Array): void {
    if (this.#filled + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  /**
   * The first byte that is not white, past the mark that some editors write before all others; undefined until it is
   * there.
   */
  firstByte(): number | undefined {
    const isMark = this.#origin + this.#start === 0 && byteOrderMark.every((byte, i) => this.#bytes[i] === byte);
    this.#blank = Math.max(this.#blank, this.#start + (isMark ? 3 : 0));
    for (; this.#blank < this.#filled; this.#blank++) {
      if (this.#bytes[this.#blank]! > 32) return this.#bytes[this.#blank];
    }
    this.#checkLength(this.#filled - this.#start);
    return undefined;
  }

  /** The next line that has ended. */
  next(): Line | undefined {
    const { separators } = this;
    if (!separators) {
      const found = this.#bytes.subarray(0, this.#filled).indexOf(lineBreak, this.#at);
      this.#at = found < 0 ? this.#filled : found;
    } else while (this.#at < this.#filled && !this.#ends(this.#bytes[this.#at]!, separators)) this.#at++;
    if (this.#at < this.#filled) return this.#take(this.#at, this.#at + 1);
    this.#checkLength(this.#filled - this.#start);
    return undefined;
  }

  /** What is left when nothing more comes: a last line without a break. */
  last(): Line | undefined {
    return this.#start < this.#filled ? this.#take(this.#filled, this.#filled) : undefined;
  }

  /** The bytes right before a place that has not been forgotten. */
  before(offset: number): Uint8Array {
    const end = offset - this.#origin;
    return this.#bytes.subarray(Math.max(0, end - tailLength), end);
  }

  /** Only what is right before this place, and after, is still needed. */
  forget(offset: number): void {
    this.#needed = Math.max(0, offset - this.#origin - tailLength);
  }

  /** Whether this byte ends the line; it is seen once. */
  #ends(byte: number, separators: readonly number[]): boolean {
    if (this.#cell === "quoted") {
      if (byte === quote) this.#cell = "closed";
      else if (byte === lineBreak) this.#breaksInside++;
    } else if (byte === lineBreak) return true;
    // A quote right after a closing one stands for itself.
    else if (byte === quote && this.#cell !== "plain") this.#cell = "quoted";
    else this.#cell = separators.includes(byte) ? "begins" : "plain";
    return false;
  }

  #take(end: number, next: number): Line {
    this.#checkLength(end - this.#start);
    const isReturn = end > this.#start && next > end && this.#bytes[end - 1] === carriageReturn;
    const bytes = this.#bytes.subarray(this.#start, isReturn ? end - 1 : end);
    const line = { bytes, number: this.#breaks + 1, unclosed: this.#cell === "quoted" };
    this.#breaks += this.#breaksInside + (next - end);
    this.#breaksInside = 0;
    this.#cell = "begins";
    this.#start = next;
    this.#at = next;
    return line;
  }

  #checkLength(length: number): void {
    if (length <= longestLine) return;
    const cure = this.#cell === "quoted" ? "close the quote that is open there" : "is it a table or JSON lines?";
    const place = `${this.#where}: line ${this.#breaks + 1}`;
    throw new RangeError(`${place} must not be longer than ${longestLine / 2 ** 20} MB; ${cure}`);
  }

  #makeRoom(more: number): void {
    const from = this.#needed;
    const kept = this.#bytes.subarray(from, this.#filled);
    const wanted = kept.length + more;
    // At least half of it is free afterwards, so that moving costs little for each byte.
    const room = 2 * wanted > this.#bytes.length ? new Uint8Array(2 * wanted) : this.#bytes;
    room.set(kept);
    this.#bytes = room;
    this.#filled -= from;
    this.#origin += from;
    this.#start -= from;
    this.#at -= from;
    this.#blank = Math.max(0, this.#blank - from);
    this.#needed = 0;
  }
}
