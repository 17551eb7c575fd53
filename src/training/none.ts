/**
 * Which rows belong to no cluster, where the teacher left some without one.
 *
 *   q  how far the code of a row is from the tenth nearest of rows that are taught; of a sample of them, which the
 *      model keeps, from one that is as much nearer as they are fewer
 *   e  how far a row is from what the decoder draws of it
 *   Q, E  the 95 % quantile of q, and the largest e, over rows that have a cluster and were held out
 *   s  max(q/Q, e/E): a row belongs to none where s > 1
 *
 * Models of before have d, the distance to the nearest center, in place of q.
 */

import { NeighbourSearch } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import { quantileOf } from "../numerics/quantiles.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
import type { Remoteness } from "./atRest.ts";
import type { NoneRule, Split } from "./lesson.ts";
import type { Restart } from "./restart.ts";
import { nearlyEqual } from "./ties.ts";

const quantile = 0.95;
/** Fewer rows have no such quantile. */
const fewestHeld = 20;
/** So many rows of each kind are compared, and so many are searched for their neighbours. */
const mostCompared = 2000;
const mostSearched = 20_000;
/** The codes of so many rows go with the model. */
const mostKept = 2000;
const nearest = 10;

/** What these are called beside the weights of a model; no variable has such a name. */
export const membersName = ":members";

/** The rule, and codes [m, latent] of rows that have a cluster: how far a row is from these. */
export interface FoundNone {
  readonly rule: NoneRule;
  readonly members: Tensor<"float32">;
}

/** Nothing where every row has a cluster, or too few were held out. */
export async function noneRule(
  restart: Restart,
  labels: Int32Array,
  { taught, held, strangers }: Split,
  { random, pace }: { readonly random: Random; readonly pace: Pace },
): Promise<FoundNone | undefined> {
  const of = (wanted: (row: number) => boolean): number[] =>
    Array.from(random.fork("rows").permutation(labels.length)).filter(wanted);
  const known = of((row) => held[row]! >= 0);
  if (strangers.length === 0 || known.length < fewestHeld) return undefined;
  const searched = of((row) => taught[row]! >= 0).slice(0, mostSearched);
  const compared = [...strangers.slice(0, mostCompared), ...known.slice(0, mostCompared)];
  const places = new Map([...searched, ...compared].map((row, place) => [row, place]));
  const { codes, ...far } = await restart.remoteness(places);
  const part = (from: number, size: number): Tensor<"float32"> =>
    takeRows(
      codes,
      Int32Array.from({ length: size }, (_, i) => from + i),
    );
  const asked = part(searched.length, compared.length);
  const neighbours = await howFar(asked, await NeighbourSearch.among(part(0, searched.length), pace), nearest, pace);
  // They come in a random order, so that the first are a sample.
  const members = part(0, Math.min(mostKept, searched.length));
  const place = Math.max(1, Math.round((nearest * members.shape[0]!) / searched.length));
  const near = await howFar(asked, await NeighbourSearch.among(members, pace), place, pace);

  const isNone = compared.map((row) => labels[row]! < 0);
  // Rounding may leave a distance below 0.
  const limitOf = (values: ArrayLike<number>, share = quantile): number =>
    Math.max(0, quantileOf(Float64Array.from(values).sort(), share));
  const limits = {
    distance: limitOf(known.map((row) => far.distance[row]!)),
    error: limitOf(
      known.map((row) => far.error[row]!),
      1,
    ),
    near: { place, limit: limitOf(near.filter((_, i) => !isNone[i])) },
  };
  const each = (of: Float32Array): Float32Array => Float32Array.from(compared, (row) => of[row]!);
  const scores = strangeness({ distance: each(far.distance), error: each(far.error), near }, limits);
  const auroc = areaUnderCurve([...scores], isNone);
  const rule = {
    rows: labels.reduce((sum, label) => sum + (label < 0 ? 1 : 0), 0),
    held: strangers.length,
    ...limits,
    auroc,
    neighbours: areaUnderCurve([...neighbours], isNone),
    isSaid: auroc - chanceOf(isNone) > 0.5,
  };
  return { rule, members };
}

/** Of each code, how far the nearest of others is that has this place, from 1 on. */
export async function howFar(
  codes: Tensor<"float32">,
  others: NeighbourSearch,
  place: number,
  pace: Pace,
): Promise<Float64Array> {
  const { count, distances } = await others.of(codes, place, pace);
  return Float64Array.from({ length: codes.shape[0]! }, (_, i) => distances[(i + 1) * count - 1]!);
}

/** s of each row. */
export function strangeness(
  { distance, error, near }: Remoteness & { readonly near?: ArrayLike<number> },
  limits: Pick<NoneRule, "distance" | "error" | "near">,
): Float64Array {
  const over = (value: number, limit: number): number => value / Math.max(limit, 1e-12);
  const away = (d: number, i: number): number =>
    near && limits.near ? over(near[i]!, limits.near.limit) : over(d, limits.distance);
  return Float64Array.from(distance, (d, i) => Math.max(away(d, i), over(error[i]!, limits.error)));
}

/**
 * Whether rounding may decide: |s − 1| ≤ 1e-5 (1 + ‖z‖/Q + 1/√E). As between clusters (ties.ts), sums in another order
 * differ by a share of what is summed: of the code, for q, and for e of a row and what is drawn of it, both about 1.
 */
export function isOnBorder(s: number, length: number, { distance, error, near }: NoneRule): boolean {
  const [Q, E] = [near?.limit ?? distance, error].map((limit) => Math.max(limit, 1e-12)) as [number, number];
  return Math.abs(s - 1) <= nearlyEqual * (1 + length / Q + 1 / Math.sqrt(E));
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
