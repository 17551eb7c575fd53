/**
 * How much categories weigh, found by what clusters then explain: k-means of a sample, with categories weighing more or
 * less, all of them and then each; what explains most is taken. Nothing but the columns themselves is asked.
 */

import type { ColumnScaled } from "../data/columnScaling.ts";
import { type Data, rowsAtOnce } from "../data/data.ts";
import { type Feature, placesByColumn } from "../data/feature.ts";
import { scaledRows } from "../data/scaling.ts";
import { nmi } from "../metrics/nmi.ts";
import { kmeans } from "../numerics/kmeans.ts";
import type { Pace } from "../numerics/pace.ts";
import { Random } from "../tensor/random.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";

/** So many rows are looked at. */
const mostRows = 1500;
/** What is explained of categories counts so much against what is explained of numbers (docs/mixed.md). */
const worth = 0.45;
/** All categories weigh so many times what they would, */
const together = [1, 0.02, 0.25, 0.5, 2];
/** and then each, where they are few. */
const [alone, fewCategories] = [[0.02, 0.3, 3], 12];
/** A smaller gain is none. */
const leastGain = 0.003;

/** The scaling with categories that weigh what explains most; as it is where a table has only numbers, or none. */
export async function withExplainingWeights(
  found: ColumnScaled,
  data: Data,
  features: readonly Feature[],
  { clusters, seed, pace }: { readonly clusters: number; readonly seed: number; readonly pace: Pace },
): Promise<ColumnScaled> {
  const { scaling, shares } = found;
  const ofShares = new Set(shares.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i)));
  const numbers = placesByColumn(features).filter(({ places }) => !ofShares.has(places[0]!));
  const rows = scaledRows(await someRows(data), scaling);
  if (shares.length === 0 || numbers.length === 0 || clusters < 2 || rows.shape[0]! <= clusters) return found;
  const values = shares.map((group) => valuesIn(rows, group, scaling.shift));

  const explained = async (times: readonly number[]): Promise<number> => {
    await pace();
    const weighed = weighedRows(rows, shares, times);
    const { labels } = kmeans(weighed, clusters, Random.seeded(seed).fork("weights"), { restarts: 4 });
    const ofNumbers = numbers.map(({ places }) => betweenShare(rows, places, labels, clusters));
    return mean(ofNumbers) + worth * mean(values.map((each) => nmi(each, labels)));
  };
  let best = { times: shares.map(() => 1), score: Number.NEGATIVE_INFINITY };
  const tried = async (times: readonly number[]): Promise<void> => {
    const score = await explained(times);
    if (score > best.score + leastGain) best = { times: [...times], score };
  };
  for (const all of together) await tried(shares.map(() => all));
  for (const [at] of shares.length <= fewCategories ? shares.entries() : []) {
    const { times } = best;
    for (const more of alone) await tried(times.map((each, i) => (i === at ? each * more : each)));
  }
  return weighedAs(found, best.times);
}

function weighedAs(found: ColumnScaled, times: readonly number[]): ColumnScaled {
  const factor = [...found.scaling.factor];
  const shares = found.shares.map((group, i) => {
    for (let at = group.first; at < group.first + group.count; at++) factor[at]! *= Math.sqrt(times[i]!);
    return { ...group, weight: group.weight * times[i]! };
  });
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

type Group = ColumnScaled["shares"][number];

/** Which value each row has; one for rows that have none. What was moved to its mean is above 0 where it is there. */
function valuesIn({ data, shape }: Tensor<"float32">, { first, count }: Group, shift: readonly number[]): Int32Array {
  const [n, d] = shape as [number, number];
  const values = new Int32Array(n).fill(count);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < count; c++) if (data[i * d + first + c]! > 0 && shift[first + c]! < 1) values[i] = c;
  }
  return values;
}

function weighedRows({ data, shape }: Tensor<"float32">, shares: readonly Group[], times: readonly number[]) {
  const d = shape[1]!;
  const factor = new Float64Array(d).fill(1);
  for (const [i, { first, count }] of shares.entries()) factor.fill(Math.sqrt(times[i]!), first, first + count);
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
