/** How much other columns go with a category. */

import { sizeOf } from "../tensor/tensor.ts";
import { type Data, rowsAtOnce } from "./data.ts";
import { type Feature, isDiscrete, placesByColumn } from "./feature.ts";

/** So many rows are looked at, and fewer where there are many columns: so many products. */
const [mostRows, mostProducts] = [20_000, 4e8];
/** So many times what chance gives on average is chance still. */
const byChance = 6;

/**
 * Of each category and boolean, by name: what it goes with most, from 0 to 1. With a number, the share of its variance
 * that is between the values of the category (η²); with another category, Cramér's V². Both less what chance gives.
 */
export async function relationsOf(
  data: Data,
  features: readonly Feature[],
  short: (value: number, place: number) => number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const columns = placesByColumn(features);
  const discrete = columns.filter(({ places }) => isDiscrete(features[places[0]!]!));
  if (discrete.length === 0) return new Map();
  const products = await productsOf(
    data,
    discrete.flatMap(({ places }) => places),
    short,
    signal,
  );
  const groups = new Map(discrete.map((column) => [column, groupsOf(column.places, products)]));
  return new Map(
    discrete.map((column) => {
      const others = columns.filter((other) => other !== column);
      const strongest = others.flatMap((other) => {
        const theirs = groups.get(other);
        const ours = groups.get(column)!;
        return theirs
          ? [cramer(ours, theirs, products)]
          : other.places.map((place) => explained(ours, place, products));
      });
      const most = Math.max(0, ...strongest);
      // Of many columns one goes with it by chance.
      return [column.column, most > (byChance * (groups.get(column)!.length - 1)) / products.n ? most : 0];
    }),
  );
}

/** Means, and covariances of some places with all. */
interface Products {
  readonly n: number;
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  covariance(place: number, other: number): number;
}

/** By one row in so many, from the first to the last: in a file that is sorted, the first rows are of one kind. */
async function productsOf(
  data: Data,
  places: readonly number[],
  short: (value: number, place: number) => number,
  signal: AbortSignal | undefined,
): Promise<Products> {
  const d = sizeOf(data.row);
  const most = Math.max(100, Math.min(mostRows, Math.floor(mostProducts / (d * places.length))));
  const step = Math.ceil(data.count / most);
  const [sums, squares] = [new Float64Array(d), new Float64Array(d)];
  const crossed = places.map(() => new Float64Array(d));
  // Numbers are counted from those of the first row: of large ones no digits are lost.
  let first: Float64Array | undefined;
  const row = new Float64Array(d);
  let n = 0;
  for await (const { x, rows } of data.inOrder(rowsAtOnce(data.row))) {
    signal?.throwIfAborted();
    for (let i = 0; i < rows.length; i++) {
      if (rows[i]! % step !== 0) continue;
      for (let c = 0; c < d; c++) row[c] = short(x.data[i * d + c]!, c);
      first ??= row.slice();
      for (let c = 0; c < d; c++) {
        row[c]! -= first[c]!;
        sums[c]! += row[c]!;
        squares[c]! += row[c]! * row[c]!;
      }
      for (const [at, place] of places.entries()) {
        const own = row[place]!;
        if (own !== 0) for (let c = 0; c < d; c++) crossed[at]![c]! += own * row[c]!;
      }
      n++;
    }
  }
  const at = new Map(places.map((place, i) => [place, i]));
  return {
    n,
    mean: sums.map((sum, c) => sum / n + (first?.[c] ?? 0)),
    variance: squares.map((square, c) => square / n - (sums[c]! / n) ** 2),
    covariance: (place, other) => crossed[at.get(place)!]![other]! / n - (sums[place]! * sums[other]!) / n ** 2,
  };
}

/** The rows of each value, and those that have none: how many they are, and how they covary with a number. */
interface Group {
  readonly share: number;
  with(place: number): number;
  readonly places: readonly number[];
  readonly sign: 1 | -1;
}

function groupsOf(places: readonly number[], { mean, covariance }: Products): Group[] {
  const known = places.map(
    (place): Group => ({
      share: mean[place]!,
      with: (other) => covariance(place, other),
      ...{ places: [place], sign: 1 },
    }),
  );
  const share = 1 - known.reduce((sum, group) => sum + group.share, 0);
  const none: Group = {
    share,
    with: (other) => -known.reduce((sum, group) => sum + group.with(other), 0),
    ...{ places, sign: -1 },
  };
  return [...known, none].filter((group) => group.share > 1e-6);
}

/** η² = Σ cov²/share over the variance of a number, adjusted. */
function explained(groups: readonly Group[], place: number, { n, variance }: Products): number {
  if (!(variance[place]! > 0) || n <= groups.length) return 0;
  const between = groups.reduce((sum, group) => sum + group.with(place) ** 2 / group.share, 0);
  return 1 - (1 - between / variance[place]!) * ((n - 1) / (n - groups.length));
}

/** V² = χ²/n less its expectation, over the smaller number of values less one; χ²/n = Σ cov²/(share·share). */
function cramer(ours: readonly Group[], theirs: readonly Group[], { n }: Products): number {
  const smaller = Math.min(ours.length, theirs.length) - 1;
  if (smaller < 1) return 0;
  let square = 0;
  for (const a of ours) {
    for (const b of theirs) {
      const covariance = b.sign * b.places.reduce((sum, place) => sum + a.with(place), 0);
      square += covariance ** 2 / (a.share * b.share);
    }
  }
  return (square - ((ours.length - 1) * (theirs.length - 1)) / n) / smaller;
}
