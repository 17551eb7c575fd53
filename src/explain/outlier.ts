/**
 * How far out a row is, beside the rows that its cluster was fitted to.
 *
 *   d  the method's distance to the own center
 *   a  the row against the exemplar of its cluster       both as the network sees rows: the root of the mean square
 *   e  the row against what the decoder makes of its code  over the numbers that are known
 *   D, A, E  what 95 % of the cluster's rows do not exceed
 *   r  max(√(d/D), a/A, e/E)
 *
 * `outlier` is the share of the cluster's rows whose r is smaller; beyond the largest of them, r over that.
 */

import { quantileOf } from "../numerics/quantiles.ts";
import { Reservoir } from "../numerics/reservoir.ts";
import type { Values } from "../runtime/session.ts";
import type { ClusterSummary, Far, FarLimits } from "./clusters/clusterSummary.ts";

/** What a cluster knows of how far its rows are. */
export type Reach = Pick<ClusterSummary, "reach" | "far">;

const measures = ["distance", "apart", "error"] as const;
type Measure = (typeof measures)[number];

const usual = 0.95;
/** Fewer rows say little about the next: all rows then stand for them. */
const fewest = 20;
/** Of rows that are all the same nothing is far: no limit is below this, nor below a hundredth of that of all rows. */
const least = 1e-3;
const leastShare = 0.01;
/** Farther is not said. */
const farthest = 1e6;

/** How far row i of what a model says is from its cluster; `known` is the share of its numbers that are not missing. */
export function farOf({ apart, error }: Values, i: number, distance: number, known = 1): Far {
  const far: { -readonly [measure in keyof Far]: Far[measure] } = { distance: asFar(distance, known) };
  const share = Math.sqrt(known);
  if (apart) far.apart = asFar(Number(apart.data[i]) / share, known);
  if (error) far.error = asFar(Number(error.data[i]) / share, known);
  return far;
}

/** Of a row of which nothing is known, all is as far as can be; and so is what float32 cannot hold. */
function asFar(value: number, known: number): number {
  return known > 0 && !Number.isNaN(value) ? value : infinite;
}

const infinite = Number.POSITIVE_INFINITY;

/** √(d/D), a/A or e/E; 0 where one of the two is not known. */
const lengthOf: Readonly<Record<Measure, (far: Far, limits: Far) => number>> = {
  distance: (far, limits) => Math.sqrt(over(far.distance, limits.distance)),
  apart: (far, limits) => over(far.apart, limits.apart),
  error: (far, limits) => over(far.error, limits.error),
};

function over(value: number | undefined, limit: number | undefined): number {
  return value === undefined || limit === undefined ? 0 : Math.max(0, value) / Math.max(limit, 1e-12);
}

/** r = max(√(d/D), a/A, e/E). */
function remoteness(far: Far, limits: Far): number {
  return Math.max(lengthOf.distance(far, limits), lengthOf.apart(far, limits), lengthOf.error(far, limits));
}

/** r, and which of the three it is by. */
export function remotenessOf(far: Far, limits: Far): { readonly r: number; readonly by: Measure } {
  const r = remoteness(far, limits);
  return { r, by: measures.find((measure) => lengthOf[measure](far, limits) === r) ?? "distance" };
}

/** Without a cluster's rows nothing is known, and a row is 1. */
export function outlierOf(far: Far, cluster: Reach | undefined): number {
  if (!cluster) return 1;
  const { far: limits, reach } = cluster;
  if (!limits) return shareBelow(far.distance, reach);
  const r = remoteness(far, limits);
  const last = limits.reach[limits.reach.length - 1] ?? 0;
  if (r <= last) return shareBelow(r, limits.reach);
  return Math.min(farthest, Math.max(1, r / Math.max(last, 1)));
}

/**
 * The share of numbers that are smaller, by their quantiles: linear between, 1 beyond the largest or where there are
 * none.
 */
export function shareBelow(value: number, quantiles: readonly number[]): number {
  const last = quantiles.length - 1;
  if (last < 0 || value > quantiles[last]!) return 1;
  // The last quantile below the value; of equal ones, it is above none.
  let [low, high] = [-1, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (quantiles[middle]! < value) low = middle;
    else high = middle;
  }
  if (low < 0) return 0;
  return (low + (value - quantiles[low]!) / (quantiles[high]! - quantiles[low]!)) / last;
}

/** How far rows are that pass by. */
export class FarRows {
  readonly #sample: Reservoir<Far>;
  readonly #largest: Partial<Record<Measure, number>> = {};
  /** What 95 % do not exceed, of the rows so far: that of all rows is asked for by every cluster. */
  readonly #usuals = new Map<Measure, number>();

  constructor(name: string) {
    this.#sample = new Reservoir(name);
  }

  /** A row of which nothing is known says nothing about the others. */
  add(far: Far): void {
    if (measures.some((measure) => far[measure] === infinite)) return;
    this.#sample.add(far);
    if (this.#usuals.size > 0) this.#usuals.clear();
    for (const measure of measures) {
      if (far[measure] !== undefined) this.#largest[measure] = Math.max(far[measure], this.#largest[measure] ?? 0);
    }
  }

  /** What rows are measured by; `all` are those of every cluster. */
  limits(all: FarRows): FarLimits | undefined {
    const own = this.#sample.count < fewest ? all : this;
    const { items } = own.#sample;
    if (items.length === 0) return undefined;
    const limits: Partial<Record<Measure, number>> = {};
    for (const measure of measures) {
      if (items[0]![measure] === undefined) continue;
      const [share, none] = measure === "distance" ? [leastShare ** 2, least ** 2] : [leastShare, least];
      limits[measure] = short(Math.max(own.#usual(measure), share * all.#usual(measure), none));
    }
    const found = limits as Far;
    const order = Float64Array.from(items, (far) => remotenessOf(far, found).r).sort();
    // r is the largest of three, so that the largest r is of the largest of one of them: it is exact.
    const { r: last } = remotenessOf(own.#largest as Far, found);
    const reach = Array.from({ length: 101 }, (_, q) => short(q === 100 ? last : quantileOf(order, q / 100)));
    return { ...found, reach };
  }

  #usual(measure: Measure): number {
    const known = this.#usuals.get(measure);
    if (known !== undefined) return known;
    const { items } = this.#sample;
    const order = new Float64Array(items.length);
    for (let i = 0; i < order.length; i++) order[i] = items[i]![measure] ?? 0;
    const found = quantileOf(order.sort(), usual);
    this.#usuals.set(measure, found);
    return found;
  }
}

/** As clusters.json has it, so that whoever reads the file says the same. */
const short = (value: number): number => Number(value.toPrecision(7));
