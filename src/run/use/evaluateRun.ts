/**
 * How well clusters agree with labels that somebody has. They are looked at once all is decided, and change nothing.
 */

import type { Labels } from "../../files/openedRows.ts";
import { checkOnePerRow, findLabels } from "../../files/openLabels.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { scoresOf } from "../../training/scoresOf.ts";
import type { Run } from "../folder/openRun.ts";
import { assignedIds } from "./assignedIds.ts";

export interface LabelSource {
  /**
   * A file with one label for each row that the run was fitted to, matched by the ids that both have, or else by order;
   * without it, the labels that came with the rows.
   */
  readonly file?: string;
  /** Which column holds them. */
  readonly column?: string;
  /** Run the query that the run's folder stores, where its rows come from one. */
  readonly runStoredSql?: boolean;
  /** What may be used, in megabytes; by default three quarters of what is free. */
  readonly memory?: number;
  readonly signal?: AbortSignal;
}

const labelSettings: Settings<LabelSource> = {
  ...{ file: "text", column: "text", runStoredSql: "flag", memory: "any", signal: "signal" },
};

/** Every score by name. */
export async function evaluateRun(run: Run, source: LabelSource = {}): Promise<Record<string, number>> {
  checkSettings("eval", source, labelSettings);
  const clusters = await run.labels();
  const { classes, names } = await labelsFor(run, source, clusters.length);
  const where = source.file ?? run.path;
  const isDropped = run.description.source.options.missing === "drop";
  checkOnePerRow(where, classes.length, { rows: clusters.length, of: run.name, isDropped });
  checkEveryRow(where, classes);
  if (names.length === 0) throw new RangeError(`${where}: has no labels`);
  return shortNames(scoresOf(classes, clusters));
}

function checkEveryRow(where: string, classes: Int32Array): void {
  const missing = classes.reduce((sum, of) => sum + (of < 0 ? 1 : 0), 0);
  if (missing === 0) return;
  throw new RangeError(
    `${where}: every row must have a label, ${missing} have none, the first is row ${classes.indexOf(-1)}`,
  );
}

/** Accuracy has the short name that people know. */
export function shortNames(scores: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(scores).map(([name, score]) => [name === "accuracy" ? "acc" : name, score]));
}

async function labelsFor(
  run: Run,
  { file, column, runStoredSql, memory, signal }: LabelSource,
  rows: number,
): Promise<Labels> {
  if (file !== undefined) {
    const found = await findLabels(file, column, { memory, signal, rows });
    const ids = await assignedIds(run, { memory, signal });
    const byId = ids && (await found.readById(ids));
    if (byId) checkEveryRow(`${file}, matched by id`, byId.classes);
    return byId ?? found.read();
  }
  const opened = await run.rows(undefined, {
    ...(column !== undefined && { label: column }),
    ...(runStoredSql && { runStoredSql }),
    ...(memory !== undefined && { memory }),
    ...(signal && { signal }),
  });
  await opened.close();
  if (opened.labels) return opened.labels;
  throw new RangeError(
    `${run.path}: its rows came without labels; give a file with one label for each row (--labels), or name the column that holds them (--column)`,
  );
}
