/**
 * How much categories weigh, found by what clusters then explain: k-means of a sample, with categories weighing more or
 * less than they would, all of them and then each. What explains more is taken, as long as neither numbers nor
 * categories lose much by it. Nothing but the columns is asked.
 */

import type { ColumnScaled } from "../data/columnScaling.ts";
import { type Data, rowsAtOnce } from "../data/data.ts";
import { type Feature, isDiscrete, placesByColumn } from "../data/feature.ts";
import { scaledRows } from "../data/scaling.ts";
import { nmi } from "../metrics/nmi.ts";
import { kmeans } from "../numerics/kmeans.ts";
import type { Pace } from "../numerics/pace.ts";
import { Random } from "../tensor/random.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

/** So many rows are looked at. */
const mostRows = 1500;
/** All categories weigh so many times what they would, */
const together = [0.02, 0.25, 0.5, 0.7, 1.4, 2, 4];
/** and then each, where they are few. */
const [alone, fewCategories] = [[0.02, 0.33, 3], 12];
/** A smaller gain is none; */
const leastGain = 0.003;
/** and neither mean may lose more than this. */
const mostLost = 0.02;
/** What a gain of NMI is worth against one of η² (docs/mixed.md). */
const worth = 0.5;

/** The scaling with categories that weigh what explains most; as it is where a table has only numbers, or none. */
export async function withExplainingWeights(
  found: ColumnScaled,
  data: Data,
  features: readonly Feature[],
  { clusters, seed, pace }: { readonly clusters: number; readonly seed: number; readonly pace: Pace },
): Promise<ColumnScaled> {
  const columns = placesByColumn(features);
  const isCategory = ({ places }: Group): boolean =>
    isDiscrete(features[places[0]!]!) || features[places[0]!]!.kind === "ordered";
  const [categories, numbers] = [columns.filter(isCategory), columns.filter((column) => !isCategory(column))];
  const given = await someRows(data);
  if (categories.length === 0 || numbers.length === 0 || clusters < 2 || given.shape[0]! <= clusters) return found;
  const rows = scaledRows(given, found.scaling);
  const values = categories.map((column) => valuesIn(given, column));

  const explained = async (times: readonly number[]): Promise<Explained> => {
    await pace();
    const weighed = weighedRows(rows, categories, times);
    const { labels } = kmeans(weighed, clusters, Random.seeded(seed).fork("weights"), { restarts: 4 });
    return {
      numbers: mean(numbers.map(({ places }) => betweenShare(rows, places, labels, clusters))),
      categories: mean(values.map((each) => nmi(each, labels))),
    };
  };
  const plain = categories.map(() => 1);
  const before = await explained(plain);
  let best = { times: plain, gain: leastGain };
  const tried = async (times: readonly number[]): Promise<void> => {
    const gain = gainOf(await explained(times), before);
    if (gain > best.gain) best = { times: [...times], gain: gain + leastGain };
  };
  for (const all of together) await tried(categories.map(() => all));
  for (const [at] of categories.length <= fewCategories ? categories.entries() : []) {
    const { times } = best;
    for (const more of alone) await tried(times.map((each, i) => (i === at ? each * more : each)));
  }
  return weighedAs(found, categories, best.times);
}

/** The mean η² of numbers, and the mean NMI of categories with the clusters. */
interface Explained {
  readonly numbers: number;
  readonly categories: number;
}

/** Δη² + ΔNMI/2; none where either is much less than before. */
export function gainOf(now: Explained, before: Explained): number {
  const [numbers, categories] = [now.numbers - before.numbers, now.categories - before.categories];
  return Math.min(numbers, categories) < -mostLost ? 0 : numbers + worth * categories;
}

/** The numbers of a row that are made of one column. */
interface Group {
  readonly places: readonly number[];
}

function weighedAs(found: ColumnScaled, categories: readonly Group[], times: readonly number[]): ColumnScaled {
  const timesAt = new Map(categories.flatMap(({ places }, i) => places.map((place) => [place, times[i]!] as const)));
  const factor = found.scaling.factor.map((each, place) => each * Math.sqrt(timesAt.get(place) ?? 1));
  const shares = found.shares.map((group) => ({ ...group, weight: group.weight * (timesAt.get(group.first) ?? 1) }));
  return { ...found, shares, scaling: { ...found.scaling, factor } };
}

/** By one row in so many, from the first to the last. */
async function someRows(data: Data): Promise<Tensor<"float32">> {
  const d = sizeOf(data.row);
  const step = Math.ceil(data.count / mostRows);
  const taken: number[] = [];
  for await (const { x, rows } of data.inOrder(rowsAtOnce(data.row))) {
    for (const [i, row] of rows.entries()) {
      if (row % step === 0) for (let c = 0; c < d; c++) taken.push(x.data[i * d + c]!);
    }
  }
  return tensor("float32", [taken.length / d, d], Float32Array.from(taken));
}

/** Which value each row has, by number; rows that have none are as one value. */
function valuesIn({ data, shape }: Tensor<"float32">, { places }: Group): Int32Array {
  const [n, d] = shape as [number, number];
  const known = new Map<string, number>();
  return Int32Array.from({ length: n }, (_, i) => {
    const value = places.map((place) => data[i * d + place]).join();
    const at = known.get(value) ?? known.size;
    known.set(value, at);
    return at;
  });
}

function weighedRows({ data, shape }: Tensor<"float32">, categories: readonly Group[], times: readonly number[]) {
  const d = shape[1]!;
  const factor = new Float64Array(d).fill(1);
  for (const [i, { places }] of categories.entries()) for (const at of places) factor[at] = Math.sqrt(times[i]!);
  return tensor(
    "float32",
    shape,
    data.map((value, at) => value * factor[at % d]!),
  );
}

/** η² of the numbers of a column together: Σ between/Σ total. */
function betweenShare(
  { data, shape }: Tensor<"float32">,
  places: readonly number[],
  labels: Int32Array,
  k: number,
): number {
  const [n, d] = shape as [number, number];
  let [between, total] = [0, 0];
  for (const place of places) {
    const [sums, sizes] = [new Float64Array(k), new Float64Array(k)];
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const value = data[i * d + place]!;
      sums[labels[i]!]! += value;
      sizes[labels[i]!]! += 1;
      sum += value;
      squares += value * value;
    }
    total += squares - (sum * sum) / n;
    between += sums.reduce((all, each, j) => all + (sizes[j]! > 0 ? each ** 2 / sizes[j]! : 0), -(sum * sum) / n);
  }
  return total > 0 ? between / total : 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
