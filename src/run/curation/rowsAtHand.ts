/** The rows that a run was fitted to, where they can still be read. */

import type { Data } from "../../data/data.ts";
import type { OpenedRows, OpenOptions } from "../../files/openRows.ts";
import type { Model } from "../../model/model.ts";
import type { Run } from "../folder/openRun.ts";

export interface RowsAtHand {
  readonly opened: OpenedRows;
  /** As the model takes them. */
  readonly data: Data;
  /** Where in the data a row is that has this number in the file; −1 where there is none. */
  placeOf(row: number): number;
}

/** The rows, or in words why they are not there. */
export async function rowsAtHand(run: Run, model: Model, options: OpenOptions): Promise<RowsAtHand | string> {
  try {
    const opened = await run.rows(undefined, { ...options, withBeside: true });
    const { numbers } = opened;
    const places = numbers && new Map(Array.from(numbers, (number, at) => [number, at]));
    const placeOf = (row: number): number => (places ? (places.get(row) ?? -1) : row < opened.data.count ? row : -1);
    return { opened, data: await model.features(opened.data), placeOf };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}
