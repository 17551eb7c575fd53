/** What a wrong input is, and how a right one becomes wrong. */

import type { Random } from "../../../src/tensor/random.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Files in a folder of their own, and the words after `telltale` that lead to them: `@/` stands for that folder. */
export interface Malformed {
  readonly what: string;
  readonly files: Files;
  readonly words: readonly string[];
  /** 2 where the words are wrong, 1 where what they name is. */
  readonly code: 1 | 2;
}

/** A file that nothing can be learned from. */
export function unfit(what: string, name: string, content: string | Uint8Array, ...options: string[]): Malformed {
  return failing(what, { [name]: content }, "fit", `@/${name}`, ...fitted, ...options);
}

/** A command that fails on these files. */
export function failing(what: string, files: Files, ...words: string[]): Malformed {
  return { what, files, words, code: 1 };
}

/** Where a fit would write its run. */
export const fitted = ["-k", "2", "--out", "@/out"];

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}

/** The bytes with others in their place. */
export function changed(bytes: Uint8Array, at: number, ...values: number[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(values, at);
  return copy;
}

export function someBytes(n: number, random: Random): Uint8Array {
  return Uint8Array.from({ length: n }, () => random.below(256));
}

type Mutation = (bytes: Uint8Array, at: number, random: Random) => Uint8Array;

const mutations: Readonly<Record<string, Mutation>> = {
  flipped: (bytes, at, random) => changed(bytes, at, bytes[at]! ^ (1 << random.below(8))),
  replaced: (bytes, at, random) => changed(bytes, at, random.below(256)),
  cut: (bytes, at) => bytes.slice(0, at),
  inserted: (bytes, at, random) =>
    joined(bytes.subarray(0, at), someBytes(1 + random.below(8), random), bytes.subarray(at)),
  removed: (bytes, at, random) => joined(bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(16))),
  repeated: (bytes, at, random) => joined(bytes.subarray(0, at + random.below(32)), bytes.subarray(at)),
  zeroed: (bytes, at, random) => bytes.map((byte, i) => (i >= at && i < at + 1 + random.below(8) ? 0 : byte)),
};

/**
 * Damage of some kind at some place: half of it near an end, where headers and footers are. The result may still be
 * right.
 */
export function mutated(bytes: Uint8Array, random: Random): { readonly what: string; readonly bytes: Uint8Array } {
  const kind = pick(random, Object.keys(mutations));
  const near = Math.min(bytes.length, 128);
  const at = [
    random.below(bytes.length),
    random.below(near),
    bytes.length - 1 - random.below(near),
    random.below(bytes.length),
  ][random.below(4)]!;
  return { what: `${kind} at ${at}`, bytes: mutations[kind]!(bytes, at, random) };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
