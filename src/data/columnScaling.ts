/** Columns of different kinds, each of which weighs as one: numbers, categories, dates, counts. */

import type { Data } from "./data.ts";
import { chanceToDiffer, orderedToDiffer } from "./differing.ts";
import { aspectsOf, type Feature, isDiscrete, placesByColumn } from "./feature.ts";
import { relationsOf } from "./relations.ts";
import { movedToMean, type Scaled, shortTail } from "./scaling.ts";

/** Numbers of a row that are shares of one whole, or one number that is a share: the values of a category. */
export interface Shares {
  readonly first: number;
  readonly count: number;
  /** What one nat of surprise about them costs: the column's weight by its entropy. */
  readonly weight: number;
}

/** A scaling, and which numbers are shares. */
export type ColumnScaled = Scaled & { readonly shares: readonly Shares[] };

/** How much columns weigh, by name, where somebody says so. */
export type ColumnWeights = Readonly<Record<string, number>>;

/** Whether these columns are of kinds that cannot be compared as they are. */
export function areMixed(features: readonly Feature[]): boolean {
  return features.some(({ kind }) => kind !== "number" && kind !== "element");
}

export function checkWeights(where: string, features: readonly Feature[], weights: ColumnWeights): void {
  const known = new Set(features.map(({ column }) => column));
  for (const [column, weight] of Object.entries(weights)) {
    if (!known.has(column)) {
      const names = [...known].slice(0, 8).join(", ");
      throw new RangeError(
        `${where}: weight must name columns that are learned from, got "${column}"; these are ${names}`,
      );
    }
    if (Number.isFinite(weight) && weight > 0 && weight <= 1e6) continue;
    throw new RangeError(
      `${where}: the weight of a column must be a number above 0, ${column} has ${weight}; leave a column out with ignore`,
    );
  }
}

/** What a category weighs that nothing goes with: too little to part rows, and enough to be drawn. */
const leastWeight = 1e-4;

/**
 * Each column to mean 0 and a total variance of its weight, whatever the number of its values; of counts with a long
 * tail, by their logarithms. A number weighs 1, so that two rows are 2 apart in it on the mean, and a category 1 − Σ
 * p², so that two rows are 2 apart where they differ. One that nothing goes with (`relationsOf`) weighs nothing: there
 * is nothing between its values, and it would part every cluster in two. Two or three passes over the rows.
 */
export async function columnScaling(
  data: Data,
  features: readonly Feature[],
  weights: ColumnWeights = {},
  signal?: AbortSignal,
): Promise<ColumnScaled> {
  const shares: Shares[] = [];
  const columns = placesByColumn(features);
  const logarithm = features.map(({ kind }) => (kind === "count" ? 1 : 0));
  const short = (value: number, place: number): number => (logarithm[place] ? shortTail(value) : value);
  const relations = await relationsOf(data, features, short, signal);
  const ordered = await orderedToDiffer(data, features, signal);
  // Categories alone, of which none goes with another.
  const isAlike = relations.size === columns.length && [...relations.values()].every((relation) => relation === 0);
  const scaled = await movedToMean(
    data,
    signal,
    (deviation, mean) => {
      const factor = Array<number>(features.length).fill(1);
      for (const { places } of columns) {
        const { column } = features[places[0]!]!;
        const isLonely = relations.get(column) === 0 && !isAlike;
        const usual = isLonely ? leastWeight : usualWeight(places, features, mean, ordered);
        const weight = Object.hasOwn(weights, column) ? weights[column]! : usual;
        const aspects = aspectsOf(places, features);
        for (const aspect of aspects) {
          // f² Σ variance = weight/aspects
          const variance = aspect.reduce((sum, place) => sum + deviation[place]! ** 2, 0);
          for (const place of aspect) if (variance > 0) factor[place] = Math.sqrt(weight / aspects.length / variance);
        }
        shares.push(...sharesAt(places, features, mean, weight));
      }
      return factor;
    },
    logarithm,
  );
  return { ...scaled, shares: shares.sort((a, b) => a.first - b.first) };
}

/** Of texts, with an order or without, and of booleans the chance that two rows differ; of all others 1. */
function usualWeight(
  places: readonly number[],
  features: readonly Feature[],
  mean: Float64Array,
  ordered: ReadonlyMap<number, number>,
): number {
  const [first] = places as [number];
  if (!isDiscrete(features[first]!)) return ordered.get(first) ?? 1;
  const shares = places.map((place) => mean[place]!);
  const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
  return Math.max(leastWeight, chanceToDiffer([...shares, rest]));
}

/** Neighbouring values of a category; a boolean, or a value that stands alone, is a share of its own. */
function sharesAt(
  places: readonly number[],
  features: readonly Feature[],
  mean: Float64Array,
  weight: number,
): Shares[] {
  const runs: number[][] = [];
  for (const place of places) {
    const { kind } = features[place]!;
    if (kind !== "boolean" && kind !== "category" && kind !== "other") continue;
    const last = runs.at(-1);
    if (last?.at(-1) === place - 1) last.push(place);
    else runs.push([place]);
  }
  return runs.map((run) => {
    const p = run.map((place) => mean[place]!);
    const all = run.length === 1 ? [p[0]!, 1 - p[0]!] : p;
    const entropy = all.reduce((sum, share) => sum - (share > 0 ? share * Math.log(share) : 0), 0);
    return { first: run[0]!, count: run.length, weight: entropy > 0 ? weight / entropy : 0 };
  });
}
