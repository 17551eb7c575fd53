/** New rows to clusters, as they come. */

import type { Placement } from "../../explain/clusters/clusterSummary.ts";
import { type PlacedBatch, placeRows } from "../../explain/placement.ts";
import { filesRead } from "../../files/filesRead.ts";
import { type Ids, type OpenOptions, openSettings } from "../../files/openedRows.ts";
import {
  type Cell,
  checkGuard,
  type OutputColumn,
  type OutputFormat,
  openOutput,
} from "../../files/output/openOutput.ts";
import type { DeviceName } from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
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

const assignSettings: Settings<AssignOptions> = {
  ...{ format: "text", out: "text", force: "flag", guardFormulas: "flag", rows: "byName", device: "text" },
  ...{ signal: "signal", onEvent: "call" },
};

/** What is said about each row, beside what it is called. */
export const placementColumns: readonly (OutputColumn & { readonly of: (placement: Placement) => number })[] = [
  { name: "cluster", type: "integer", of: ({ cluster }) => cluster },
  { name: "confidence", type: "number", of: ({ confidence }) => confidence },
  { name: "second", type: "integer", of: ({ second }) => second },
  { name: "margin", type: "number", of: ({ margin }) => margin },
  { name: "distance", type: "number", of: ({ distance }) => distance },
  { name: "outlier", type: "number", of: ({ outlier }) => outlier },
];

/** So many rows are placed at a time. */
const batchOfRows = 1024;

/** What is said about a row, a reader for each column. Without distances of fitted rows nobody knows an outlier. */
export function placementReaders(isReachKnown: boolean): readonly ((placement: Placement) => number | null)[] {
  return placementColumns.map(({ name, of }) => (name === "outlier" && !isReachKnown ? () => null : of));
}

/** Columns for ids; where one has the name of ours, in whatever case, it is marked. */
export function idColumns(ids: Ids["names"] | undefined, ours: readonly { readonly name: string }[]): OutputColumn[] {
  return apart(
    (ids ?? []).map((name) => ({ name, type: "id" })),
    ours,
    "_id",
  );
}

/** Columns beside others; one that has the name of another, in whatever case, is marked. */
function apart(
  columns: readonly OutputColumn[],
  others: readonly { readonly name: string }[],
  mark: string,
): OutputColumn[] {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  return columns.map(({ name: own, type }) => {
    let name = own;
    while (taken.has(name.toLowerCase())) name += mark;
    taken.add(name.toLowerCase());
    return { name, type };
  });
}

/** What is said about each row of a file, with what its cluster is called. */
const saidColumns: readonly OutputColumn[] = [
  ...placementColumns.slice(0, 1),
  { name: "cluster_name", type: "text" },
  ...placementColumns.slice(1),
];

/** Where rows were left out: how many, and which, by their numbers in the file. */
export interface Assigned {
  readonly rows: number;
  readonly out?: string;
  readonly dropped?: readonly number[];
}

/**
 * Reads rows, and writes a line for each: its ids (or its number in the file), the columns that are kept, its cluster,
 * and how sure that is.
 */
export async function assignFile(run: Run, source: string, options: AssignOptions): Promise<Assigned> {
  checkSettings("assign", options, assignSettings, { rows: openSettings });
  const { format, out, force, guardFormulas = false, rows, device, signal, onEvent } = options;
  checkGuard(format, guardFormulas);
  if (format === "parquet" && out === undefined) {
    throw new RangeError("assign: parquet needs a file to be written to; name one with --out (out)");
  }
  const [reach, called] = [await run.reach(), await run.names()];
  // Whatever cannot be written is said before anything is read.
  const read = await filesRead(source, rows?.sql);
  const file = out === undefined ? undefined : await run.claim(out, { read, ...(force && { force }) });
  const opened = await run.rows(source, { ...rows, ...(signal && { signal }) }).catch(async (error) => {
    await file?.release();
    throw error;
  });
  try {
    onEvent?.({ kind: "opened", description: opened.description, rows: opened.data.count });
    const model = await run.assigner({ device, signal, memory: rows?.memory });
    const { ids, kept, numbers, dropped } = opened;
    const names: OutputColumn[] = ids ? idColumns(ids.names, saidColumns) : [{ name: "row", type: "integer" }];
    const passed = apart(kept?.columns ?? [], [...names, ...saidColumns], "_kept");
    const output = await openOutput(format, [...names, ...passed, ...saidColumns], {
      ...(file && { out: file }),
      guardFormulas,
    });
    const said = placementReaders(reach.length > 0).slice(1);
    const values = kept?.inOrder(batchOfRows)[Symbol.asyncIterator]();
    try {
      const data = await model.features(opened.data);
      const settings = { reach, size: batchOfRows, ...(ids && { ids }), ...(signal && { signal }) };
      // An older run does not know how far its rows were from what the decoder makes of them: nobody asks the decoder.
      const places = reach.some(({ far }) => far) ? model : { run: model.run.bind(model) };
      for await (const batch of placeRows(places, data, settings)) {
        const beside = values && ((await values.next()).value as readonly (readonly Cell[])[] | undefined);
        if (values && beside?.length !== batch.placements.length) throw changed(source);
        const { placements } = await withNone(model, batch);
        await output.write(
          placements.map((placement, i) => {
            const { row, cluster } = placement;
            const cells: Cell[] = batch.ids ? [...batch.ids[i]!] : [numbers?.[row] ?? row];
            if (beside) cells.push(...beside[i]!);
            cells.push(cluster, cluster < 0 ? "none" : called[cluster]!);
            for (const of of said) cells.push(of(placement));
            return cells;
          }),
        );
        const done = placements.at(-1)!.row + 1;
        onEvent?.({ kind: "stage", stage: "assigning rows", done, total: data.count });
      }
      await output.end();
    } catch (error) {
      await output.abandon();
      throw error;
    } finally {
      await values?.return?.();
      await model.close();
    }
    return {
      rows: opened.data.count,
      ...(out !== undefined && { out }),
      ...(dropped && { dropped: [...dropped.rows] }),
    };
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

function changed(where: string): RangeError {
  return new RangeError(`${where}: changed while it was read; read it again when nothing writes to it`);
}
