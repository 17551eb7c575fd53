/** Texts of each cluster: shares of their values where those are few, else the words that tell. */

import type { ColumnBeside, ValueBeside } from "../../data/beside.ts";
import { oneLine } from "../../text/oneLine.ts";
import type { ColumnTally } from "./columnTally.ts";
import { WordTally } from "./wordTally.ts";

/** More different texts than this are no categories, nor are texts that are hardly ever there twice. */
const mostCategories = 64;
const leastRepeated = 2;
/** So many values of a cluster are told, and this many letters of them. */
const mostShares = 8;
const longestValue = 100;

export class TextTally implements ColumnTally {
  readonly #column: ColumnBeside;
  readonly #words: WordTally;
  /** How many rows of each cluster have each value, while there are few. */
  #values: Map<string, Float64Array> | undefined = new Map();
  readonly #clusters: number;
  #count = 0;
  #letters = 0;

  constructor(column: ColumnBeside, clusters: number) {
    this.#column = column;
    this.#words = new WordTally(clusters);
    this.#clusters = clusters;
    if (column.isText) this.#values = undefined;
  }

  add(cluster: number, value: ValueBeside, isSampled: boolean): void {
    const text = String(value);
    this.#count++;
    this.#letters += text.length;
    if (isSampled) this.#words.add(cluster, text);
    if (!this.#values) return;
    const counts = this.#values.get(text) ?? new Float64Array(this.#clusters);
    counts[cluster]!++;
    this.#values.set(text, counts);
    if (this.#values.size > mostCategories) this.#values = undefined;
  }

  /** Whose words come first: what somebody called text, then the longest texts; below 0, what is left out. */
  get rank(): number {
    if (this.#column.isLeftOut) return -1;
    return this.#column.isText ? Number.MAX_VALUE : this.#letters / Math.max(1, this.#count);
  }

  /** Whether its values are texts, and not categories. */
  get isText(): boolean {
    return this.#values === undefined || this.#values.size * leastRepeated > this.#count;
  }

  of(cluster: number, rows: Float64Array) {
    return this.#values === undefined || this.isText
      ? this.#wordsOf(cluster)
      : this.#sharesOf(cluster, this.#values, rows);
  }

  /** Of all rows: of a column with holes, a value that all the others have is still the value of few. */
  #sharesOf(cluster: number, counts: ReadonlyMap<string, Float64Array>, rows: Float64Array) {
    const own = rows[cluster]!;
    if (own === 0) return undefined;
    const rest = rows.reduce((sum, count) => sum + count, 0) - own;
    const all = [...counts].map(([value, of]) => {
      const there = rest > 0 ? (of.reduce((sum, rows) => sum + rows, 0) - of[cluster]!) / rest : undefined;
      return { value, here: of[cluster]! / own, ...(there !== undefined && { there }) };
    });
    // Half of what is elsewhere in the other values: 0 where shares are the same, 1 where no value is.
    const tells = rest > 0 ? all.reduce((sum, { here, there }) => sum + Math.abs(here - there!), 0) / 2 : 0;
    const shown = all
      .filter(({ here }) => here > 0)
      .sort((a, b) => b.here - a.here || (a.value < b.value ? -1 : 1))
      .slice(0, mostShares)
      .map((share) => ({ ...share, value: oneLine(share.value, longestValue) }));
    return { tells, says: { kind: "category" as const, column: this.#column.name, values: shown } };
  }

  #wordsOf(cluster: number) {
    const words = this.#words.telling(cluster);
    if (words.length === 0) return undefined;
    const [{ here, there = 0 }] = words as [(typeof words)[number]];
    return { tells: here - there, says: { kind: "words" as const, column: this.#column.name, words } };
  }
}
