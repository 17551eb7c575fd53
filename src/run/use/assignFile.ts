/** New rows to clusters, as they come. */

import type { Placement } from "../../explain/clusters/clusterSummary.ts";
import { type PlacedBatch, placeRows } from "../../explain/placement.ts";
import type { Ids, OpenOptions } from "../../files/openRows.ts";
import {
  type Cell,
  checkGuard,
  type OutputColumn,
  type OutputFormat,
  openOutput,
} from "../../files/output/openOutput.ts";
import type { DeviceName } from "../../runtime/device.ts";
import type { OnEvent } from "../events.ts";
import type { Assigner, Run } from "../folder/openRun.ts";

export interface AssignOptions {
  readonly format: OutputFormat;
  /** A file, written whole or not at all; without it, standard output. */
  readonly out?: string;
  readonly force?: boolean;
  /**
   * In CSV, puts a ' before ids that a spreadsheet would take for formulas. They are then not what they were: leave it
   * out for programs.
   */
  readonly guardFormulas?: boolean;
  readonly rows?: OpenOptions;
  readonly device?: DeviceName;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
}

/** What is said about each row, beside what it is called. */
export const placementColumns: readonly (OutputColumn & { readonly of: (placement: Placement) => number })[] = [
  { name: "cluster", type: "integer", of: ({ cluster }) => cluster },
  { name: "confidence", type: "number", of: ({ confidence }) => confidence },
  { name: "second", type: "integer", of: ({ second }) => second },
  { name: "margin", type: "number", of: ({ margin }) => margin },
  { name: "distance", type: "number", of: ({ distance }) => distance },
  { name: "outlier", type: "number", of: ({ outlier }) => outlier },
];

/** What is said about a row. Without the distances of fitted rows nobody knows who is an outlier. */
export function cellsOf(placement: Placement, isReachKnown: boolean): Cell[] {
  return placementColumns.map(({ name, of }) => (name === "outlier" && !isReachKnown ? null : of(placement)));
}

/** Columns for ids; where one has the name of ours, in whatever case, it is marked. */
export function idColumns(ids: Ids["names"] | undefined, ours: readonly { readonly name: string }[]): OutputColumn[] {
  const taken = new Set(ours.map(({ name }) => name.toLowerCase()));
  return (ids ?? []).map((id) => {
    let name = id;
    while (taken.has(name.toLowerCase())) name += "_id";
    taken.add(name.toLowerCase());
    return { name, type: "text" };
  });
}

/** Reads rows, and writes a line for each: its ids (or its number), its cluster, and how sure that is. */
export async function assignFile(
  run: Run,
  source: string,
  { format, out, force, guardFormulas = false, rows, device, signal, onEvent }: AssignOptions,
): Promise<{ rows: number; out?: string }> {
  checkGuard(format, guardFormulas);
  if (format === "parquet" && out === undefined) {
    throw new RangeError("assign: parquet needs a file to be written to; name one with --out (out)");
  }
  const reach = await run.reach();
  // Whatever cannot be written is said before anything is read.
  const file = out === undefined ? undefined : await run.claim(out, { read: [source], ...(force && { force }) });
  const opened = await run.rows(source, { ...rows, ...(signal && { signal }) }).catch(async (error) => {
    await file?.release();
    throw error;
  });
  try {
    onEvent?.({ kind: "opened", description: opened.description, rows: opened.data.count });
    const model = await run.assigner({ device, signal, memory: rows?.memory });
    const names: OutputColumn[] = opened.ids
      ? idColumns(opened.ids.names, placementColumns)
      : [{ name: "row", type: "integer" }];
    const output = await openOutput(format, [...names, ...placementColumns], {
      ...(file && { out: file }),
      guardFormulas,
    });
    try {
      const data = await model.features(opened.data);
      const settings = { reach, ...(opened.ids && { ids: opened.ids }), ...(signal && { signal }) };
      for await (const batch of placeRows(model, data, settings)) {
        await output.write(linesOf(await withNone(model, batch), reach.length > 0));
        const done = batch.placements.at(-1)!.row + 1;
        onEvent?.({ kind: "stage", stage: "assigning rows", done, total: data.count });
      }
      await output.end();
    } catch (error) {
      await output.abandon();
      throw error;
    } finally {
      await model.close();
    }
    return { rows: opened.data.count, ...(out !== undefined && { out }) };
  } finally {
    await file?.release();
    await opened.close();
  }
}

/** A row that belongs to none has the cluster −1, and the nearest is its second choice. */
async function withNone(model: Assigner, batch: PlacedBatch): Promise<PlacedBatch> {
  const isNone = await model.isNone?.(batch.x);
  if (!isNone?.includes(1)) return batch;
  const placements = batch.placements.map((placement, i) =>
    isNone[i] ? { ...placement, cluster: -1, second: placement.cluster } : placement,
  );
  return { ...batch, placements };
}

function linesOf({ placements, ids }: PlacedBatch, isReachKnown: boolean): Cell[][] {
  return placements.map((placement, i) => [...(ids ? ids[i]! : [placement.row]), ...cellsOf(placement, isReachKnown)]);
}
