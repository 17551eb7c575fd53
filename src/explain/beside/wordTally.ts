/**
 * The words that tell the texts of a cluster from those of the others: class-wise TF-IDF (Grootendorst, "BERTopic:
 * Neural topic modeling with a class-based TF-IDF procedure", 2022), of texts that pass by once.
 */

import { wordsOf } from "./wordsOf.ts";

export interface TellingWord {
  readonly word: string;
  /** The share of the cluster's texts that have it, and of all others; not where there are none. */
  readonly here: number;
  readonly there?: number;
  /** tf · log(1 + A/f) */
  readonly score: number;
}

/** A word in more of all texts than this tells nothing. */
const mostCommon = 0.8;
/** A word tells where at least so many texts of a cluster have it, and at least this share of them. */
const fewestTexts = 2;
const leastShare = 0.03;
/** How many times as common as elsewhere it must be. */
const leastRatio = 1.5;
/** By how many standard deviations a share must exceed that of all texts, not to be chance. */
const leastSurprise = 2.5;
/** Words that are counted at a time, and numbers for them. */
const [mostWords, mostNumbers] = [50_000, 2 ** 24];

/** How often a word was there in each cluster and in all, and in how many of their texts. */
interface Count {
  readonly times: Int32Array;
  readonly texts: Int32Array;
  allTimes: number;
  allTexts: number;
}

export class WordTally {
  readonly #counts = new Map<string, Count>();
  readonly #most: number;
  /** Of each cluster: how many words and texts it has. */
  readonly #words: Float64Array;
  readonly #texts: Float64Array;
  #allTexts = 0;
  /** Words of so many texts have been forgotten. */
  #forgotten = 0;

  constructor(clusters: number, most = Math.min(mostWords, Math.floor(mostNumbers / (2 * clusters)))) {
    this.#most = most;
    this.#words = new Float64Array(clusters);
    this.#texts = new Float64Array(clusters);
  }

  /** How many words are counted. */
  get size(): number {
    return this.#counts.size;
  }

  add(cluster: number, text: string): void {
    const words = wordsOf(text);
    if (words.length === 0) return;
    this.#texts[cluster]!++;
    this.#allTexts++;
    this.#words[cluster]! += words.length;
    const seen = new Set<string>();
    for (const word of words) {
      const count = this.#countOf(word);
      count.times[cluster]!++;
      count.allTimes++;
      if (seen.has(word)) continue;
      seen.add(word);
      count.texts[cluster]!++;
      count.allTexts++;
    }
    if (this.#counts.size > this.#most) this.#forget();
  }

  /** The words that tell most of a cluster, first. Of two forms of a word, such as file and files, the better one. */
  telling(cluster: number, most = 10): TellingWord[] {
    const found: TellingWord[] = [];
    const mean = meanOf(this.#words.filter((words) => words > 0));
    for (const [word, count] of this.#counts) {
      const shares = this.#shares(cluster, count);
      if (!shares) continue;
      // c-TF-IDF: tf · log(1 + A/f), with tf the share of the cluster's words that are this one, f how often all
      // clusters have it, and A the mean number of words in a cluster.
      const score = (count.times[cluster]! / this.#words[cluster]!) * Math.log(1 + mean / count.allTimes);
      found.push({ word, ...shares, score });
    }
    found.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1));
    const kept: TellingWord[] = [];
    for (const each of found) {
      if (kept.length === most) break;
      if (!kept.some(({ word }) => areForms(word, each.word))) kept.push(each);
    }
    return kept;
  }

  /** Of a word that tells: how common it is here and elsewhere. */
  #shares(cluster: number, { texts, allTexts }: Count): Pick<TellingWord, "here" | "there"> | undefined {
    const [n, own, having] = [this.#allTexts, this.#texts[cluster]!, texts[cluster]!];
    const here = having / own;
    if (!(having >= fewestTexts && here >= leastShare)) return undefined;
    if (own === n) return { here };
    const p = allTexts / n;
    // Of `own` texts drawn from all n without putting them back: √(p(1 − p)/own · (n − own)/(n − 1)).
    const deviation = Math.sqrt(((p * (1 - p)) / own) * ((n - own) / (n - 1)));
    const there = (allTexts - having) / (n - own);
    const isTelling = p <= mostCommon && here >= leastRatio * there && here - p >= leastSurprise * deviation;
    return isTelling ? { here, there } : undefined;
  }

  #countOf(word: string): Count {
    const known = this.#counts.get(word);
    if (known) return known;
    const clusters = this.#words.length;
    const fresh = { times: new Int32Array(clusters), texts: new Int32Array(clusters), allTimes: 0, allTexts: 0 };
    this.#counts.set(word, fresh);
    return fresh;
  }

  /** The rarest go until a quarter of the room is free: memory does not grow with the number of texts. */
  #forget(): void {
    while (this.#counts.size > 0.75 * this.#most) {
      this.#forgotten++;
      for (const [word, { allTexts }] of this.#counts) if (allTexts <= this.#forgotten) this.#counts.delete(word);
    }
  }
}

const endings = new Set(["s", "es", "ed", "ing", "er", "ers"]);

/** Whether one word is the other with an ending: file and files, parse and parsing. */
export function areForms(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.replace(/e$/, "");
  return stem.length >= 3 && long.startsWith(stem) && endings.has(long.slice(stem.length));
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
