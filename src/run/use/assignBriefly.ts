/** New rows to clusters for whoever asks in passing: how many go where, and the first of them. */

import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { temporaryFolder } from "../../files/kept/temporary.ts";
import type { Run } from "../folder/openRun.ts";
import { assignFile } from "./assignFile.ts";

export interface AssignedBriefly {
  readonly rows: number;
  /** How many rows are in each cluster that has any. */
  readonly clusters: readonly { readonly cluster: number; readonly name: string; readonly rows: number }[];
  /** As `assign` says them. */
  readonly first: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were left out, by their numbers. */
  readonly dropped?: readonly number[];
}

type Rows =
  /** A file. */
  | { readonly source: string }
  /** Values by the names of the columns. They go through a file for the time of the question, and are read as its. */
  | { readonly records: readonly Readonly<Record<string, unknown>>[] };

export async function assignBriefly(
  run: Run,
  rows: Rows,
  { first, signal }: { readonly first: number; readonly signal?: AbortSignal },
): Promise<AssignedBriefly> {
  const folder = await temporaryFolder();
  try {
    const [given, out] = [join(folder.path, "rows.jsonl"), join(folder.path, "assigned.jsonl")];
    if ("records" in rows) await writeFile(given, rows.records.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const source = "records" in rows ? given : rows.source;
    const assigned = await assignFile(run, source, { format: "jsonl", out, ...(signal && { signal }) });
    const counts = new Map<number, { cluster: number; name: string; rows: number }>();
    const shown: Record<string, unknown>[] = [];
    for await (const line of createInterface({ input: createReadStream(out) })) {
      const said = JSON.parse(line) as { cluster: number; cluster_name: string };
      const count = counts.get(said.cluster) ?? { cluster: said.cluster, name: said.cluster_name, rows: 0 };
      counts.set(said.cluster, { ...count, rows: count.rows + 1 });
      if (shown.length < first) shown.push(said);
    }
    return {
      rows: assigned.rows,
      clusters: [...counts.values()].sort((one, other) => other.rows - one.rows || one.cluster - other.cluster),
      first: shown,
      ...(assigned.dropped && { dropped: assigned.dropped }),
    };
  } finally {
    await folder.remove();
  }
}
