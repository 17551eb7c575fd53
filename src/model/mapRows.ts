/** The two-dimensional picture of what a model was fitted to: where rows and centers are on the map. */

import type { Data } from "../data/data.ts";
import { type CodeMap, map } from "../map/map.ts";
import { placeOnMap } from "../map/placeOnMap.ts";
import { shownOf } from "../map/shownRows.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
import type { Model } from "./model.ts";
import { sampleRows } from "./sampleRows.ts";

/** So many are drawn beside each other; the others are placed among them, which takes a fraction of the time. */
export const mostDrawn = 20_000;

export interface RowMap {
  /** Where a row is; nothing for rows that are not on it. */
  at(row: number): readonly [number | null, number | null];
  readonly centers: readonly (readonly [number, number])[];
  readonly shown: number;
}

interface MapRowsOptions {
  readonly stage: (stage: "drawing the map", done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export async function mapRows(model: Model, data: Data, { stage, signal }: MapRowsOptions): Promise<RowMap> {
  const { seed, clusters } = model.plan;
  const stopping = signal ? { signal } : {};
  const { data: sample, rows } = await sampleRows(data, shownOf(data.count), seed);
  const codes = await model.transform(sample);
  const onRound = (epoch: number, epochs: number): void => stage("drawing the map", epoch, epochs);
  const { drawn, positions } = await drawnAndPlaced(
    codes,
    (some) => map(some, { seed, onRound, ...stopping }),
    stopping,
  );
  const place = new Map(Array.from(rows, (row, i) => [row, i]));
  const at = (all: Float32Array, i: number): [number, number] => [all[2 * i]!, all[2 * i + 1]!];
  const centers = await placeOnMap(drawn, await model.centers(), stopping);
  return {
    at(row) {
      const i = place.get(row);
      return i === undefined ? [null, null] : at(positions, i);
    },
    centers: Array.from({ length: clusters }, (_, j) => at(centers.data, j)),
    shown: rows.length,
  };
}

/** Of many codes some, evenly spread, are drawn, and the others placed where their nearest are. */
async function drawnAndPlaced(
  codes: Tensor<"float32">,
  draw: (codes: Tensor<"float32">) => Promise<CodeMap>,
  stopping: { readonly signal?: AbortSignal },
): Promise<{ readonly drawn: CodeMap; readonly positions: Float32Array }> {
  const n = codes.shape[0]!;
  if (n <= mostDrawn) {
    const drawn = await draw(codes);
    return { drawn, positions: drawn.positions.data };
  }
  const every = n / mostDrawn;
  const some = Int32Array.from({ length: mostDrawn }, (_, i) => Math.floor(i * every));
  const isDrawn = new Uint8Array(n);
  for (const row of some) isDrawn[row] = 1;
  const others = Int32Array.from({ length: n }, (_, i) => i).filter((row) => isDrawn[row] === 0);
  const drawn = await draw(takeRows(codes, some));
  const placed = await placeOnMap(drawn, takeRows(codes, others), { isRough: true, ...stopping });
  const positions = new Float32Array(2 * n);
  const put = (rows: Int32Array, { data }: Tensor<"float32">): void => {
    for (let i = 0; i < rows.length; i++) positions.set(data.subarray(2 * i, 2 * i + 2), 2 * rows[i]!);
  };
  put(some, drawn.positions);
  put(others, placed);
  return { drawn, positions };
}
