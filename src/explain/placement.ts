/** How rows are placed, batch by batch. */

import type { ValueBeside } from "../data/beside.ts";
import type { Data } from "../data/data.ts";
import type { Values } from "../runtime/session.ts";
import { type Tensor, toNumbers } from "../tensor/tensor.ts";
import type { Far, Placement } from "./clusters/clusterSummary.ts";
import type { Assigns } from "./explainable.ts";
import { farOf, outlierOf, type Reach } from "./outlier.ts";

/** What rows are called where they come from, in batches beside those of the data; a row may have several ids. */
export interface IdsInOrder {
  inOrder(size: number): AsyncIterable<readonly (readonly string[])[]> | Iterable<readonly (readonly string[])[]>;
}

export interface PlacedBatch {
  /** The rows themselves, [n, …row]. */
  readonly x: Tensor<"float32">;
  readonly placements: readonly Placement[];
  /** How far each row is from its cluster. */
  readonly far: readonly Far[];
  readonly ids?: readonly (readonly string[])[];
  /** Values in columns that were not used to cluster, where somebody has put them beside. */
  readonly beside?: readonly (readonly ValueBeside[])[];
  /** [n, latent]. */
  readonly codes: Tensor<"float32">;
  /** [n, k]. */
  readonly distances: Tensor<"float32">;
  readonly probabilities: Tensor<"float32">;
}

/** Rows in a batch, unless said. */
export const usualBatch = 1024;

export interface PlaceOptions {
  /** Of each cluster, for outliers; without it nothing is known of other rows, and every row is 1. */
  readonly reach?: readonly Reach[];
  readonly ids?: IdsInOrder;
  /** Rows in a batch. */
  readonly size?: number;
  /** Stops between batches. */
  readonly signal?: AbortSignal;
}

/** Every row of the data once, in order. */
export async function* placeRows(
  model: Assigns,
  data: Data,
  { reach = [], ids, size = usualBatch, signal }: PlaceOptions = {},
): AsyncGenerator<PlacedBatch> {
  const names = ids && each(ids.inOrder(size));
  try {
    for await (const { rows, x, known } of data.inOrder(size)) {
      signal?.throwIfAborted();
      const named = names && ((await names.next()).value as PlacedBatch["ids"] | undefined);
      if (names && named?.length !== rows.length) {
        throw new RangeError(
          `explain: every row must have its ids, got ${named?.length ?? 0} for the ${rows.length} rows from row ${rows[0]}`,
        );
      }
      const values = await (model.place?.(x) ?? model.run(x));
      yield {
        x,
        ...placementsOf(values, rows, { reach, ...(known && { known }) }),
        ...(named && { ids: named }),
        codes: values.z as Tensor<"float32">,
        distances: values.distances as Tensor<"float32">,
        probabilities: values.probabilities as Tensor<"float32">,
      };
    }
  } finally {
    await names?.return(undefined);
  }
}

export async function* each<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/**
 * From a run of the model's program over rows at these places of the data; `known` is the share of each row's numbers
 * that are not missing.
 */
export function placementsOf(
  values: Values,
  rows: ArrayLike<number>,
  { reach = [], known }: { readonly reach?: readonly Reach[]; readonly known?: ArrayLike<number> } = {},
): { readonly placements: Placement[]; readonly far: Far[] } {
  const { label, distances, probabilities } = values;
  const [d, p] = [distances!.data as Float32Array, probabilities!.data as Float32Array];
  const k = distances!.shape[1]!;
  const clusters = toNumbers(label!);
  const far = clusters.map((cluster, i) => farOf(values, i, d[i * k + cluster]!, known?.[i]));
  const placements = clusters.map((cluster, i) => {
    const at = i * k;
    let second = cluster;
    for (let j = 0; j < k; j++) {
      if (j !== cluster && (second === cluster || d[at + j]! < d[at + second]!)) second = j;
    }
    const distance = d[at + cluster]!;
    return {
      row: rows[i]!,
      cluster,
      confidence: p[at + cluster]!,
      second,
      margin: d[at + second]! - distance,
      distance,
      outlier: outlierOf(far[i]!, reach[cluster]),
    };
  });
  return { placements, far };
}
