/** Why a row of a file is in its cluster. */

import type { RowsBeside, ValueBeside } from "../../data/beside.ts";
import { type Data, rowsAtOnce } from "../../data/data.ts";
import type { OutputFile } from "../../disk/outputFile.ts";
import { dateOf, mostDays } from "../../explain/beside/dateOf.ts";
import type { Beside } from "../../explain/clusters/clusterSummary.ts";
import { explainRow } from "../../explain/rows/explainRow.ts";
import type { Explanation, RowBeside } from "../../explain/rows/explanation.ts";
import { filesRead } from "../../files/filesRead.ts";
import { openSettings } from "../../files/openedRows.ts";
import type { OpenedRows, OpenOptions } from "../../files/openRows.ts";
import { arePictures } from "../../report/parts/pictures.ts";
import type { DeviceName } from "../../runtime/device.ts";
import { checkSettings, type Settings } from "../../settings.ts";
import { sizeOf } from "../../tensor/tensor.ts";
import type { Run } from "../folder/openRun.ts";
import { drawExplanation } from "./drawExplanation.ts";
import { placeOf } from "./placeOfRow.ts";

export interface ExplainFileOptions {
  /** Which row: its number in the file, from 0; or, in place of that, what it is called in an id column. */
  readonly row?: number;
  readonly id?: string;
  /** Of which file; by default the one that the run was fitted to. */
  readonly source?: string;
  /** The cluster to compare with; by default the second nearest. */
  readonly against?: number;
  /**
   * A PNG file to draw it into, where rows are pictures: the row, the exemplar of the other cluster, and what each
   * pixel adds.
   */
  readonly picture?: string;
  /** Whether a picture that is there may be replaced. */
  readonly force?: boolean;
  readonly rows?: OpenOptions;
  readonly device?: DeviceName;
  /** The file of a method of your own, where the run was fitted by one. */
  readonly method?: string;
  readonly signal?: AbortSignal;
}

const explainSettings: Settings<ExplainFileOptions> = {
  ...{ row: "whole", id: "text", source: "text", against: "whole", picture: "text", force: "flag", rows: "byName" },
  ...{ device: "text", method: "text", signal: "signal" },
};

/** Of which row: its number in the file, and what it is called there. */
export interface RowExplanation extends Explanation {
  readonly row: number;
  readonly id?: string;
}

export async function explainFile(run: Run, options: ExplainFileOptions): Promise<RowExplanation> {
  checkSettings("explain", options, explainSettings, { rows: openSettings });
  const { picture, source, force, ...rest } = options;
  if (picture === undefined) return explained(run, options);
  const read = await filesRead(source, rest.rows?.sql);
  const file = await run.claim(picture, { read, ...(force && { force }) });
  try {
    return await explained(run, { ...rest, ...(source !== undefined && { source }) }, file);
  } finally {
    await file.release();
  }
}

async function explained(run: Run, options: ExplainFileOptions, picture?: OutputFile): Promise<RowExplanation> {
  const { source, against, rows, device, method } = options;
  const stopping = { ...(options.signal && { signal: options.signal }) };
  const opened = await run.rows(source, { ...rows, withBeside: true, ...stopping });
  try {
    const where = source ?? run.description.source.name;
    const place = await placeOf(opened, options, where);
    const model = await run.model({
      ...(device && { device }),
      ...(method !== undefined && { method }),
      memory: rows?.memory,
      ...stopping,
    });
    try {
      const data = await model.features(opened.data);
      const summaries = await run.summaries();
      const values = await rowOf(data, place.at, where);
      if (picture) checkDrawable(run, model.plan.row);
      const filled = (await opened.missingOf?.([place.at]))?.get(place.at);
      const explanation = await explainRow(model, values, {
        ...(summaries && { summaries }),
        ...(!model.encoder && { columns: opened.features, ...(filled && { filled }) }),
        ...(against !== undefined && { against }),
      });
      if (picture && explanation.why) {
        await picture.write(drawExplanation([...values], explanation.why.input, run.description.source.range));
        await picture.put();
      }
      const beside = await besideOf(summaries?.[explanation.placement.cluster]?.beside, opened, place.at);
      const { number: row, id } = place;
      return { row, ...(id !== undefined && { id }), ...explanation, ...(beside && { beside }) };
    } finally {
      await model.close();
    }
  } finally {
    await opened.close();
  }
}

/** What columns say of the cluster that were not used to make it, beside what they are in the row. */
async function besideOf(
  described: readonly Beside[] | undefined,
  { beside }: OpenedRows,
  row: number,
): Promise<readonly RowBeside[] | undefined> {
  if (!described) return undefined;
  const values = beside && (await valuesOf(beside, row));
  return described.map((cluster) => {
    const value = values?.[beside!.columns.findIndex(({ name }) => name === cluster.column)];
    const isDate = cluster.kind === "date" && typeof value === "number" && Math.abs(value) <= mostDays;
    const said = isDate ? dateOf(value) : value;
    return { column: cluster.column, ...(said !== undefined && { value: said }), cluster };
  });
}

async function valuesOf(beside: RowsBeside, row: number): Promise<readonly ValueBeside[] | undefined> {
  let first = 0;
  for await (const batch of beside.inOrder(1024)) {
    if (row < first + batch.length) return batch[row - first];
    first += batch.length;
  }
  return undefined;
}

function checkDrawable({ path }: Run, row: readonly number[]): void {
  if (!arePictures(row)) {
    throw new RangeError(
      `${path}: only rows that are pictures can be drawn, got rows of shape [${row}]; leave out --picture`,
    );
  }
}

async function rowOf(data: Data, wanted: number, where: string): Promise<Float32Array> {
  const width = sizeOf(data.row);
  let first = 0;
  for await (const { x } of data.inOrder(rowsAtOnce(data.row))) {
    if (wanted < first + x.shape[0]!) return x.data.slice((wanted - first) * width, (wanted - first + 1) * width);
    first += x.shape[0]!;
  }
  throw new RangeError(`${where}: changed while it was read; read it again when nothing writes to it`);
}
