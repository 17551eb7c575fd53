/** Rows split into halves, some times; each half divided by itself, and carried into the clusters of the other. */

import { kmeans, unitTensor } from "../numerics/kmeans.ts";
import { neighbourGraph } from "../numerics/neighbours/neighbourGraph.ts";
import { NeighbourSearch, type Neighbours } from "../numerics/neighbours/neighbours.ts";
import type { Pace } from "../numerics/pace.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows, tensor } from "../tensor/tensor.ts";
import { bordersOf, emptiness } from "./borders.ts";
import { mostFrequent } from "./carried.ts";
import { neighboursIn } from "./neighbourhood.ts";
import { predictionStrength } from "./predictionStrength.ts";
import { spectralEmbedding } from "./spectral.ts";

/** So many nearest rows carry a row into the other half's clusters, and say whether it is at their border. */
const speaking = 5;

/** A graph of so many neighbours, and k-means from so many starts: as the teachers, for many small divisions. */
const [neighbours, restarts] = [10, 3];

/** Who divides: what is round, and what is of any form. Both are quick; a mixture is neither better nor quick. */
export const dividers = ["kmeans", "spectral"] as const;
export type Divider = (typeof dividers)[number];

/** What the splits have said about one number of clusters, by one divider. */
export interface Measured {
  readonly by: Divider;
  /** Prediction strength, mean over splits of both directions, and its standard error. */
  readonly strength: number;
  readonly error: number;
  /** E: how sparse rows at borders are, ½ as all others. */
  readonly emptiness: number;
  /** How many rows are at a border, mean over splits. */
  readonly atBorders: number;
}

interface HalvesOptions {
  readonly splits: number;
  /** The largest number of clusters that is asked for. */
  readonly largest: number;
  readonly random: Random;
  readonly pace: Pace;
}

interface Half {
  readonly rows: Tensor<"float32">;
  readonly random: Random;
  readonly search: NeighbourSearch;
  /** The nearest rows of the other half. */
  readonly across: Neighbours;
  /** How far each row has it to the last of its nearest rows. */
  readonly r: Float64Array;
  /** Eigenvectors of the graph by how many neighbours it has: for few rows, fewer where clusters are many. */
  readonly embeddings: Map<number, Tensor<"float32">>;
}

export class Halves {
  readonly #splits: readonly (readonly [Half, Half])[];
  readonly #options: HalvesOptions;

  private constructor(splits: readonly (readonly [Half, Half])[], options: HalvesOptions) {
    this.#splits = splits;
    this.#options = options;
  }

  static async of(rows: Tensor<"float32">, options: HalvesOptions): Promise<Halves> {
    const n = rows.shape[0]!;
    const { splits, pace } = options;
    const all: [Half, Half][] = [];
    for (let s = 0; s < splits; s++) {
      const random = options.random.fork(`split ${s}`);
      const order = random.permutation(n);
      const [a, b] = [order.subarray(0, n >> 1), order.subarray(n >> 1)].map((part) => takeRows(rows, part.sort()));
      const [inA, inB] = [await NeighbourSearch.among(a!, pace), await NeighbourSearch.among(b!, pace)];
      all.push([
        await halfOf(a!, inA, inB, random.fork("a"), pace),
        await halfOf(b!, inB, inA, random.fork("b"), pace),
      ]);
    }
    return new Halves(all, options);
  }

  /**
   * What a divider's k clusters are worth. The same whatever was asked before. With `seen`, the same halves of the same
   * rows in other numbers, these are divided, and it is ours that say who is near.
   */
  async measured(by: Divider, k: number, seen: Halves = this): Promise<Measured> {
    const strengths: number[] = [];
    let [rows, weight, ranks] = [0, 0, 0];
    for (const [s, halves] of this.#splits.entries()) {
      const divided: Int32Array[] = [];
      for (const half of seen.#splits[s]!) divided.push(await seen.#divided(half, by, k));
      const both = halves.map((half, h) => {
        const other = divided[1 - h]!;
        const { carried, R } = carriedTo(other, half.across);
        const found = bordersOf(carried, half.r, R, k);
        [rows, weight, ranks] = [rows + found.rows, weight + found.weight, ranks + found.ranks];
        return predictionStrength(divided[h]!, carried, k);
      });
      strengths.push((both[0]! + both[1]!) / 2);
    }
    // Each split has all rows in it once: how many are at borders is averaged, not added up.
    const atBorders = rows / this.#splits.length;
    return { by, ...meanAndError(strengths), emptiness: emptiness({ rows: atBorders, weight, ranks }), atBorders };
  }

  async #divided(half: Half, by: Divider, k: number): Promise<Int32Array> {
    const { pace } = this.#options;
    await pace();
    const random = half.random.fork(`${by} ${k}`);
    if (by === "kmeans") return kmeans(half.rows, k, random, { restarts }).labels;
    const u = await this.#embedding(half, neighboursIn(half.rows, neighbours, k));
    return kmeans(unitTensor(firstColumns(u, k)), k, random, { restarts }).labels;
  }

  /** As many eigenvectors as any number of clusters needs that has a graph of so many neighbours. */
  async #embedding(half: Half, count: number): Promise<Tensor<"float32">> {
    const known = half.embeddings.get(count);
    if (known) return known;
    const { largest, pace } = this.#options;
    let most = largest;
    while (most > 2 && neighboursIn(half.rows, neighbours, most) !== count) most--;
    const graph = await neighbourGraph(await half.search.ofEach(count, pace), pace);
    const found = await spectralEmbedding(graph, most, half.random.fork(`graph ${count}`), pace);
    half.embeddings.set(count, found);
    return found;
  }
}

async function halfOf(
  rows: Tensor<"float32">,
  search: NeighbourSearch,
  others: NeighbourSearch,
  random: Random,
  pace: Pace,
): Promise<Half> {
  const { distances, count } = await search.ofEach(speaking, pace);
  const r = Float64Array.from({ length: rows.shape[0]! }, (_, i) => distances[(i + 1) * count - 1]!);
  return { rows, random, search, across: await others.of(rows, speaking, pace), r, embeddings: new Map() };
}

/** Each row to where most of its nearest rows of the other half are; where these do not agree, how far they go: R. */
function carriedTo(labels: Int32Array, { rows, count, distances }: Neighbours) {
  const carried = new Int32Array(rows.length / count);
  const R = new Float64Array(carried.length);
  for (let i = 0; i < carried.length; i++) {
    const near = rows.subarray(i * count, (i + 1) * count);
    carried[i] = mostFrequent(near, labels);
    if (near.some((row) => labels[row] !== carried[i])) R[i] = distances[(i + 1) * count - 1]!;
  }
  return { carried, R };
}

function firstColumns({ data, shape }: Tensor<"float32">, k: number): Tensor<"float32"> {
  const [n, all] = shape as [number, number];
  const columns = Math.min(k, all);
  const out = new Float32Array(n * columns);
  for (let i = 0; i < n; i++) out.set(data.subarray(i * all, i * all + columns), i * columns);
  return tensor("float32", [n, columns], out);
}

/** The mean, and √(Σ(x − mean)² / (s(s − 1))); of one split there is no error to be known. */
function meanAndError(values: readonly number[]): { strength: number; error: number } {
  const s = values.length;
  const strength = values.reduce((sum, value) => sum + value / s, 0);
  const squares = values.reduce((sum, value) => sum + (value - strength) ** 2, 0);
  return { strength, error: s > 1 ? Math.sqrt(squares / (s * (s - 1))) : 0 };
}
