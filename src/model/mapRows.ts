/** The two-dimensional picture of what a model was fitted to: where rows and centers are on the map. */

import { type Data, inMemory, rowsAtOnce } from "../data/data.ts";
import { type CodeMap, map } from "../map/map.ts";
import { placeOnMap } from "../map/placeOnMap.ts";
import { shownOf } from "../map/shownRows.ts";
import { takeRows } from "../tensor/tensor.ts";
import type { Model } from "./model.ts";
import { rowsIn, spreadRows } from "./sampleRows.ts";

/** So many are drawn beside each other; the others are placed among them, which takes a fraction of the time. */
export const mostDrawn = 20_000;

export interface RowMap {
  /** Where a row is; nothing for rows that are not on it. */
  at(row: number): readonly [number | null, number | null];
  readonly centers: readonly (readonly [number, number])[];
  readonly shown: number;
}

interface Stopping {
  readonly signal?: AbortSignal;
}

interface MapRowsOptions extends Stopping {
  readonly stage: (stage: "drawing the map", done: number, total: number) => void;
}

export async function mapRows(model: Model, data: Data, { stage, signal }: MapRowsOptions): Promise<RowMap> {
  const { seed, clusters } = model.plan;
  const stopping = signal ? { signal } : {};
  const shown = spreadRows(data.count, shownOf(data.count), seed);
  const every = Math.max(1, shown.length / mostDrawn);
  const some = Int32Array.from({ length: Math.min(shown.length, mostDrawn) }, (_, i) => shown[Math.floor(i * every)]!);
  const onRound = (epoch: number, epochs: number): void => stage("drawing the map", epoch, epochs);
  const drawn = await map(await model.transform(await rowsIn(data, some)), { seed, onRound, ...stopping });
  const places = new Places(shown);
  some.forEach((row, i) => {
    places.put(row, drawn.positions.data, i);
  });
  if (some.length < shown.length) await placeOthers({ model, data, drawn, places, ...stopping });
  const centers = (await placeOnMap(drawn, await model.centers(), stopping)).data;
  return {
    at: (row) => places.at(row),
    centers: Array.from({ length: clusters }, (_, j) => [centers[2 * j]!, centers[2 * j + 1]!]),
    shown: shown.length,
  };
}

interface Placing extends Stopping {
  readonly model: Model;
  readonly data: Data;
  readonly drawn: CodeMap;
  readonly places: Places;
}

/** Rows that are shown and not drawn lie where their nearest do; batch by batch: all codes at once may be many. */
async function placeOthers({ model, data, drawn, places, signal }: Placing): Promise<void> {
  const roughly = { among: places.count, ...(signal && { signal }) };
  for await (const { rows, x } of data.inOrder(rowsAtOnce(data.row, 16_384))) {
    const others = Int32Array.from(rows.keys()).filter((i) => places.isWaiting(rows[i]!));
    if (others.length === 0) continue;
    const codes = await model.transform(inMemory(takeRows(x, others)));
    const placed = await placeOnMap(drawn, codes, roughly);
    others.forEach((at, i) => {
      places.put(rows[at]!, placed.data, i);
    });
  }
}

/** Where rows are: numbers for those that are shown, whose own numbers rise. */
class Places {
  readonly #shown: Int32Array;
  readonly #positions: Float32Array;

  constructor(shown: Int32Array) {
    this.#shown = shown;
    this.#positions = new Float32Array(2 * shown.length).fill(Number.NaN);
  }

  get count(): number {
    return this.#shown.length;
  }

  put(row: number, positions: Float32Array, i: number): void {
    this.#positions.set(positions.subarray(2 * i, 2 * i + 2), 2 * this.#find(row));
  }

  at(row: number): [number | null, number | null] {
    const i = this.#find(row);
    return i < 0 ? [null, null] : [this.#positions[2 * i]!, this.#positions[2 * i + 1]!];
  }

  /** Whether a row is shown and has no place yet. */
  isWaiting(row: number): boolean {
    const i = this.#find(row);
    return i >= 0 && Number.isNaN(this.#positions[2 * i]!);
  }

  /** The index of a row among those that are shown, or −1. */
  #find(row: number): number {
    // As where all are shown.
    if (this.#shown[row] === row) return row;
    let [low, high] = [0, this.#shown.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.#shown[middle]! < row) low = middle + 1;
      else if (this.#shown[middle]! > row) high = middle - 1;
      else return middle;
    }
    return -1;
  }
}
