/** The two-dimensional picture of a run: where rows and centers are on the map. */

import type { Data } from "../../data/data.ts";
import { type MapProgress, map } from "../../map/map.ts";
import { placeOnMap } from "../../map/placeOnMap.ts";
import type { Model } from "../../model/model.ts";
import { type Sampled, sampleRows } from "../../model/sampleRows.ts";
import { mostOnMap } from "../folder/schemas/runDescription.ts";

/** Of more rows than the map can show, so many. */
const sampled = 50_000;

export interface RowMap {
  /** Where a row is; nothing for rows that are not on it. */
  at(row: number): readonly [number | null, number | null];
  readonly centers: readonly (readonly [number, number])[];
  readonly shown: number;
}

interface MapRowsOptions {
  readonly stage: (stage: string, done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export async function mapRows(model: Model, data: Data, { stage, signal }: MapRowsOptions): Promise<RowMap> {
  const sample: Sampled = await sampleRows(data, data.count <= mostOnMap ? data.count : sampled, model.plan.seed);
  const codes = await model.transform(sample.data);
  const onProgress = ({ epoch, epochs }: MapProgress): void => stage("drawing the map", epoch, epochs);
  const drawn = await map(codes, { seed: model.plan.seed, onProgress, ...(signal && { signal }) });
  const place = new Map(Array.from(sample.rows, (row, i) => [row, i]));
  const at = (positions: Float32Array, i: number): [number, number] => [positions[2 * i]!, positions[2 * i + 1]!];
  const centers = await placeOnMap(drawn, await model.centers(), signal ? { signal } : {});
  return {
    at(row) {
      const i = place.get(row);
      return i === undefined ? [null, null] : at(drawn.positions.data, i);
    },
    centers: Array.from({ length: model.plan.clusters }, (_, j) => at(centers.data, j)),
    shown: sample.rows.length,
  };
}
