/**
 * Which rows belong to no cluster, where the teacher left some without one.
 *
 *   d  distance of a row to its nearest center      e  how far it is from what the decoder draws of it
 *   D, E  the 95 % quantiles of d and e over rows that have a cluster and were held out
 *   s  max(d/D, e/E): a row belongs to none where s > 1
 */

import { NeighbourSearch } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import { quantileOf } from "../numerics/quantiles.ts";
import type { Random } from "../tensor/random.ts";
import { takeRows } from "../tensor/tensor.ts";
import type { NoneRule, Split } from "./lesson.ts";
import type { Remoteness, Restart } from "./restart.ts";

const quantile = 0.95;
/** Fewer rows have no such quantile. */
const fewestHeld = 20;
/** So many rows of each kind are compared, and so many are searched for their neighbours. */
const mostCompared = 2000;
const mostSearched = 20_000;
const nearest = 10;

/** Nothing where every row has a cluster, or too few were held out. */
export async function noneRule(
  restart: Restart,
  labels: Int32Array,
  { taught, held, strangers }: Split,
  { random, pace }: { readonly random: Random; readonly pace: Pace },
): Promise<NoneRule | undefined> {
  const of = (wanted: (row: number) => boolean): number[] =>
    Array.from(random.fork("rows").permutation(labels.length)).filter(wanted);
  const known = of((row) => held[row]! >= 0);
  if (strangers.length === 0 || known.length < fewestHeld) return undefined;
  const searched = of((row) => taught[row]! >= 0).slice(0, mostSearched);
  const compared = [...strangers.slice(0, mostCompared), ...known.slice(0, mostCompared)];
  const places = new Map([...searched, ...compared].map((row, place) => [row, place]));
  const { codes, ...far } = await restart.remoteness(places);
  // Rounding may leave a distance below 0.
  const limitOf = (values: ArrayLike<number>): number =>
    Math.max(0, quantileOf(Float64Array.from(known, (row) => values[row]!).sort(), quantile));
  const limits = {
    distance: limitOf(far.distance),
    error: limitOf(far.error),
  };
  const scores = strangeness(far, limits);
  const isNone = compared.map((row) => labels[row]! < 0);
  const auroc = areaUnderCurve(
    compared.map((row) => scores[row]!),
    isNone,
  );
  const among = takeRows(
    codes,
    Int32Array.from(searched, (_, i) => i),
  );
  const asked = takeRows(
    codes,
    Int32Array.from(compared, (_, i) => searched.length + i),
  );
  const { count, distances } = await (await NeighbourSearch.among(among, pace)).of(asked, nearest, pace);
  const tenth = compared.map((_, i) => distances[(i + 1) * count - 1]!);
  return {
    rows: labels.reduce((sum, label) => sum + (label < 0 ? 1 : 0), 0),
    held: strangers.length,
    ...limits,
    auroc,
    neighbours: areaUnderCurve(tenth, isNone),
    isSaid: auroc - chanceOf(isNone) > 0.5,
  };
}

/** s of each row. */
export function strangeness(
  { distance, error }: Remoteness,
  limits: Pick<NoneRule, "distance" | "error">,
): Float64Array {
  const over = (value: number, limit: number): number => value / Math.max(limit, 1e-12);
  return Float64Array.from(distance, (d, i) => Math.max(over(d, limits.distance), over(error[i]!, limits.error)));
}

/** The share of pairs of a row of each kind in which the one that is none scores higher; a tie is half a pair. */
export function areaUnderCurve(scores: readonly number[], isNone: readonly boolean[]): number {
  const order = Array.from(scores.keys()).sort((i, j) => scores[i]! - scores[j]!);
  let [ranks, none] = [0, 0];
  for (let at = 0; at < order.length; ) {
    let end = at;
    while (end < order.length && scores[order[end]!] === scores[order[at]!]) end++;
    // Ranks count from 1; equal scores share the mean of theirs.
    for (const i of order.slice(at, end)) {
      if (!isNone[i]) continue;
      ranks += (at + 1 + end) / 2;
      none++;
    }
    at = end;
  }
  const others = order.length - none;
  return (ranks - (none * (none + 1)) / 2) / (none * others);
}

/** So far the area strays from one half by chance, at 95 % (Mann and Whitney). */
function chanceOf(isNone: readonly boolean[]): number {
  const none = isNone.reduce((sum, each) => sum + Number(each), 0);
  const others = isNone.length - none;
  return 1.645 * Math.sqrt((none + others + 1) / (12 * none * others));
}
