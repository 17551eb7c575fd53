/**
 * Seeded random numbers whose position is a number.
 *
 * The generator is Philox 4×32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
 * 2011): word i of a stream is a function of (seed, stream, i) alone, so a stream is saved and restored by writing down
 * i.
 */

/** Where a stream stands: enough to continue it bit for bit. */
export interface RandomState {
  readonly seed: number;
  readonly stream: number;
  readonly position: number;
}

const twoTo32 = 2 ** 32;

export class Random {
  readonly seed: number;
  readonly stream: number;
  readonly #key0: number;
  readonly #key1: number;
  readonly #block = new Uint32Array(4);
  #blockAt = -1;
  #position: number;

  private constructor(seed: number, stream: number, position: number) {
    this.seed = seed;
    this.stream = stream;
    // A seed has 53 bits: the low 32 are one half of the key, the high 21 are mixed into the other half with the
    // stream.
    this.#key0 = seed >>> 0;
    this.#key1 = (stream ^ Math.imul(Math.floor(seed / twoTo32), 0x9e3779b1)) >>> 0;
    this.#position = position;
  }

  static seeded(seed: number): Random {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`random: the seed must be a whole number from 0, got ${seed}`);
    }
    return new Random(seed, 0, 0);
  }

  static restore({ seed, stream, position }: RandomState): Random {
    if (![seed, stream, position].every((part) => Number.isSafeInteger(part) && part >= 0)) {
      throw new RangeError(`random: a state is three whole numbers from 0, got ${seed}, ${stream} and ${position}`);
    }
    return new Random(seed, stream, position);
  }

  get state(): RandomState {
    return { seed: this.seed, stream: this.stream, position: this.#position };
  }

  /** Another stream of the same seed, independent of how far this one has come. */
  fork(name: string): Random {
    return new Random(this.seed, hash(name, this.stream), 0);
  }

  /** 32 random bits as a number from 0. */
  word(): number {
    const blockAt = Math.floor(this.#position / 4);
    if (blockAt !== this.#blockAt) {
      philox(blockAt, this.#key0, this.#key1, this.#block);
      this.#blockAt = blockAt;
    }
    return this.#block[this.#position++ % 4]!;
  }

  /** Uniform in [0, 1) with 24 bits, so that it is exact as float32. */
  uniform(): number {
    return (this.word() >>> 8) * 2 ** -24;
  }

  /** `n` float32 numbers, uniform from low to high (which rounding may reach; from 0 to 1 it does not). */
  uniforms(n: number, low = 0, high = 1): Float32Array {
    const out = new Float32Array(n);
    this.#fill(out, low, (high - low) * 2 ** -24);
    return out;
  }

  /** `n` float32 numbers, normal with mean 0 and deviation 1 (Box–Muller; an odd `n` draws one more and drops it). */
  normals(n: number): Float32Array {
    const out = new Float32Array(n + (n % 2));
    this.#fill(out, 0, 2 ** -24);
    for (let i = 0; i < out.length; i += 2) {
      const radius = Math.sqrt(-2 * Math.log(1 - out[i]!));
      const angle = 2 * Math.PI * out[i + 1]!;
      out[i] = radius * Math.cos(angle);
      out[i + 1] = radius * Math.sin(angle);
    }
    return out.subarray(0, n);
  }

  /** A whole number from 0 to below `limit`, each equally likely (words that would favour some are drawn again). */
  below(limit: number): number {
    if (!Number.isInteger(limit) || limit < 1 || limit > twoTo32) {
      throw new RangeError(`random: the limit must be a whole number from 1 to 2³², got ${limit}`);
    }
    const fair = twoTo32 - (twoTo32 % limit);
    let word = this.word();
    while (word >= fair) word = this.word();
    return word % limit;
  }

  /** The numbers 0 to n − 1 in random order (Fisher–Yates). */
  permutation(n: number): Int32Array {
    const order = Int32Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const kept = order[i]!;
      order[i] = order[j]!;
      order[j] = kept;
    }
    return order;
  }

  /** low + scale·w for the upper 24 bits w of each word. */
  #fill(out: Float32Array, low: number, scale: number): void {
    let i = 0;
    // Whole blocks straight from the generator; the ends, which may share a block with other draws, word by word.
    while (i < out.length && this.#position % 4 !== 0) out[i++] = low + (this.word() >>> 8) * scale;
    const block = this.#block;
    for (; i + 4 <= out.length; i += 4) {
      philox(this.#position / 4, this.#key0, this.#key1, block);
      out[i] = low + (block[0]! >>> 8) * scale;
      out[i + 1] = low + (block[1]! >>> 8) * scale;
      out[i + 2] = low + (block[2]! >>> 8) * scale;
      out[i + 3] = low + (block[3]! >>> 8) * scale;
      this.#position += 4;
    }
    this.#blockAt = -1;
    while (i < out.length) out[i++] = low + (this.word() >>> 8) * scale;
  }
}

/** Ten rounds of Philox on the counter (low word, high word, 0, 0). */
function philox(counter: number, key0: number, key1: number, out: Uint32Array): void {
  philoxBlock(counter >>> 0, Math.floor(counter / twoTo32), 0, 0, key0, key1, out);
}

export function philoxBlock(
  x0: number,
  x1: number,
  x2: number,
  x3: number,
  key0: number,
  key1: number,
  out: Uint32Array,
): void {
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(x0, 0xd251, 0x1f53);
    const low0 = Math.imul(x0, 0xd2511f53);
    const high1 = multiplyHigh(x2, 0xcd9e, 0x8d57);
    const low1 = Math.imul(x2, 0xcd9e8d57);
    x0 = high1 ^ x1 ^ key0;
    x1 = low1;
    x2 = high0 ^ x3 ^ key1;
    x3 = low0;
    key0 = (key0 + 0x9e3779b9) | 0;
    key1 = (key1 + 0xbb67ae85) | 0;
  }
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = x3;
}

/**
 * The upper 32 bits of a·(2¹⁶·mHigh + mLow), by 16-bit halves: every sum below fits 32 bits, so that all of it is
 * integer arithmetic.
 */
function multiplyHigh(a: number, mHigh: number, mLow: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const first = (Math.imul(aHigh, mLow) + (Math.imul(aLow, mLow) >>> 16)) | 0;
  const second = (Math.imul(aLow, mHigh) + (first & 0xffff)) | 0;
  return (Math.imul(aHigh, mHigh) + (first >>> 16) + (second >>> 16)) | 0;
}

/** FNV-1a over the name's UTF-16 units: 32 bits, for a stream's name among others of its parent. */
export function hash(name: string, start = 0): number {
  let h = start ^ 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
