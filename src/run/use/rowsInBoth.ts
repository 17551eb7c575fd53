/** The same rows in two runs. */

import { stat } from "node:fs/promises";
import { placeRows } from "../../explain/placement.ts";
import type { OpenedRows, OpenOptions } from "../../files/openRows.ts";
import { Database, plainError, quoteName, quotePath } from "../../files/tables/database.ts";
import { checkParquet } from "../../files/tables/parquetOrJson.ts";
import type { Device, DeviceName } from "../../runtime/device.ts";
import type { Settings } from "../../settings.ts";
import { checkStoredSql, type Run } from "../folder/openRun.ts";
import { idsAmong } from "./assignedIds.ts";

/** Rows to compare on; without them those that both were fitted to, or else those of the first. */
export interface CompareOptions {
  readonly source?: string;
  readonly rows?: OpenOptions;
  readonly device?: DeviceName | Device;
  readonly signal?: AbortSignal;
}

export const compareSettings: Settings<CompareOptions> = {
  ...{ source: "text", rows: "byName", device: "any", signal: "signal" },
};

/** What is known of a row beside its clusters. */
export interface AboutRow {
  /** Its number in the file, where rows were left out. */
  readonly row?: number;
  readonly id?: string;
  readonly confidence?: { readonly a: number; readonly b: number };
}

export interface PlacedInBoth {
  /** The cluster of each row. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  about(rows: readonly number[]): Promise<ReadonlyMap<number, AboutRow>>;
}

/** Where both were fitted to the same rows, as they were then; else both models are asked. */
export async function placedInBoth(a: Run, b: Run, options: CompareOptions): Promise<PlacedInBoth> {
  const isFitted = options.source === undefined && options.rows?.sql === undefined && sameRows(a, b);
  if (!isFitted) return assigned(a, b, options);
  const about: PlacedInBoth["about"] = async (rows) => {
    const [first, second] = [await confidences(a, rows), await confidences(b, rows)];
    return new Map(rows.map((row) => [row, together(first.get(row), second.get(row))]));
  };
  return { a: await a.labels(), b: await b.labels(), about };
}

/** The same place and the same number of rows; where rows were left out, for the same reasons. */
function sameRows({ description: { source: a } }: Run, { description: { source: b } }: Run): boolean {
  const isKept = a.path !== undefined || a.options.sql !== undefined;
  const isSame =
    a.path === b.path && (["sql", "array", "table"] as const).every((name) => a.options[name] === b.options[name]);
  const drops = a.options.missing === "drop" || b.options.missing === "drop";
  // Two fits may have chosen other columns of the same rows, and are then compared by assigning.
  return (
    isKept &&
    isSame &&
    a.rows === b.rows &&
    a.fingerprint === b.fingerprint &&
    (!drops || JSON.stringify(a.options) === JSON.stringify(b.options))
  );
}

interface Known {
  readonly row: number;
  readonly id?: string;
  readonly confidence: number;
}

function together(a: Known | undefined, b: Known | undefined): AboutRow {
  const id = a?.id ?? b?.id;
  return {
    ...(a && { row: a.row }),
    ...(id !== undefined && { id }),
    ...(a && b && { confidence: { a: a.confidence, b: b.confidence } }),
  };
}

/** From the table that a fit has written; a model that was only saved has none. */
async function confidences(run: Run, rows: readonly number[]): Promise<Map<number, Known>> {
  const file = run.folder.file(run.place("assignments.parquet"));
  if (rows.length === 0 || !(await stat(file).catch(() => undefined))) return new Map();
  await checkParquet(file, file);
  const database = await Database.open({ memory: 500, files: [file] }, (error) => plainError(file, error, 500));
  try {
    const table = `read_parquet(${quotePath(file)}, file_row_number = true)`;
    const columns = (await database.rows(`describe select * from ${table}`)).map(([name]) => String(name));
    const id =
      idsAmong(run, columns)
        .map((name) => `coalesce(${quoteName(name)}::varchar, '')`)
        .join(" || ' ' || ") || "null";
    const found = await database.rows(
      `select file_row_number, row, confidence, ${id} from ${table} where file_row_number in (${rows.join(", ")})`,
    );
    return new Map(
      found.map(([place, row, confidence, id]) => [
        Number(place),
        { row: Number(row), confidence: Number(confidence), ...(id !== null && { id: String(id) }) },
      ]),
    );
  } finally {
    database.close();
  }
}

interface Assigned {
  readonly labels: Int32Array;
  readonly confidence: Float32Array;
  readonly ids: string[] | undefined;
  readonly numbers: Int32Array | undefined;
}

async function assigned(a: Run, b: Run, options: CompareOptions): Promise<PlacedInBoth> {
  // The rows of the first, where none are named: the second finds its own columns in them. A query that the first one
  // stores is asked for leave here, whatever is opened first.
  const { path, name, options: opened } = a.description.source;
  const stopping = { ...(options.signal && { signal: options.signal }) };
  const asked = options.source !== undefined || options.rows?.sql !== undefined;
  const first = asked
    ? () => a.rows(options.source, { ...options.rows, ...stopping })
    : () => a.rows(undefined, { ...(options.rows?.runStoredSql && { runStoredSql: true }), ...stopping });
  const second = asked
    ? () => b.rows(options.source, { ...options.rows, ...stopping })
    : () => b.rows(path ?? name, { ...(opened.sql !== undefined && { sql: opened.sql }), ...stopping });
  if (!asked) checkStoredSql(a.path, a.description.source, options.rows?.runStoredSql);
  const one = await assignedBy(a, first, options);
  const other = await assignedBy(b, second, options);
  if (one.labels.length !== other.labels.length) {
    throw new RangeError(
      `compare: both must be given the same rows, ${a.name} takes ${one.labels.length} and ${b.name} ${other.labels.length} of them; fill missing values in, or compare on other rows`,
    );
  }
  const about = (row: number): AboutRow => {
    const id = one.ids?.[row] ?? other.ids?.[row];
    const number = one.numbers?.[row];
    return {
      ...(number !== undefined && { row: number }),
      ...(id !== undefined && { id }),
      confidence: { a: one.confidence[row]!, b: other.confidence[row]! },
    };
  };
  return { a: one.labels, b: other.labels, about: async (rows) => new Map(rows.map((row) => [row, about(row)])) };
}

async function assignedBy(
  run: Run,
  open: () => Promise<OpenedRows>,
  { device, signal, rows }: CompareOptions,
): Promise<Assigned> {
  const opened = await open();
  try {
    const { data, ids, numbers } = opened;
    const labels = new Int32Array(data.count);
    const confidence = new Float32Array(data.count);
    const model = await run.assigner({ device, signal, memory: rows?.memory });
    try {
      for await (const { placements } of placeRows(model, await model.features(data), signal ? { signal } : {})) {
        for (const { row, cluster, confidence: own } of placements) {
          labels[row] = cluster;
          confidence[row] = own;
        }
      }
    } finally {
      await model.close();
    }
    const names: string[] = [];
    if (ids) for await (const batch of ids.inOrder(4096)) names.push(...batch.map((row) => row.join(" ")));
    return { labels, confidence, ids: ids && names, numbers };
  } finally {
    await opened.close();
  }
}
