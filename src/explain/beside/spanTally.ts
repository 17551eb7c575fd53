/** Numbers and dates of each cluster: their means and spans. */

import type { ColumnBeside, ValueBeside } from "../../data/beside.ts";
import { Moments } from "../../numerics/moments.ts";
import type { ColumnTally } from "./columnTally.ts";
import { dateOf, mostDays } from "./dateOf.ts";

export class SpanTally implements ColumnTally {
  readonly #column: ColumnBeside;
  readonly #moments: readonly Moments[];
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  #all: Moments | undefined;

  constructor(column: ColumnBeside, clusters: number) {
    this.#column = column;
    this.#moments = Array.from({ length: clusters }, () => new Moments(1));
    this.#low = new Float64Array(clusters).fill(Number.POSITIVE_INFINITY);
    this.#high = new Float64Array(clusters).fill(Number.NEGATIVE_INFINITY);
  }

  add(cluster: number, value: ValueBeside): void {
    if (typeof value !== "number" || !Number.isFinite(value)) return;
    if (this.#column.kind === "date" && Math.abs(value) > mostDays) return;
    this.#moments[cluster]!.add([value], 0);
    this.#low[cluster] = Math.min(this.#low[cluster]!, value);
    this.#high[cluster] = Math.max(this.#high[cluster]!, value);
  }

  of(cluster: number) {
    const own = this.#moments[cluster]!;
    if (own.count === 0) return undefined;
    this.#all ??= this.#together();
    const [here] = own.mean as unknown as [number];
    const [deviation] = this.#all.deviation() as unknown as [number];
    const there = own.count < this.#all.count ? this.#all.meanWithout(own)[0]! : undefined;
    const effect = there === undefined || deviation === 0 ? 0 : (here - there) / deviation;
    // As a correlation, 0 to 1: d/√(d² + 4).
    const tells = Math.abs(effect) / Math.hypot(effect, 2);
    const { name: column, kind } = this.#column;
    if (kind === "number") {
      return { tells, says: { kind, column, here, ...(there !== undefined && { there, effect }) } };
    }
    const span = Math.max(...this.#high) - Math.min(...this.#low);
    const day = (days: number): string => dateOf(days, span < 3);
    const dates = { from: day(this.#low[cluster]!), to: day(this.#high[cluster]!), here: day(here) };
    const says = { kind: "date" as const, column, ...dates, ...(there !== undefined && { there: day(there), effect }) };
    return { tells, says };
  }

  #together(): Moments {
    const all = new Moments(1);
    for (const moments of this.#moments) all.merge(moments);
    return all;
  }
}
