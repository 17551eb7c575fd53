/** Why a row of a file is in its cluster. */

import type { Data } from "../data/data.ts";
import type { OpenOptions } from "../data/files/index.ts";
import { explainRow } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import type { DeviceName } from "../runtime/device.ts";
import { sizeOf } from "../tensor/tensor.ts";
import type { Run } from "./run.ts";

export interface ExplainFileOptions {
  /** Which row, from 0. */
  readonly row: number;
  /** Of which file; by default the one that the run was fitted to. */
  readonly source?: string;
  /** The cluster to compare with; by default the second nearest. */
  readonly against?: number;
  readonly rows?: OpenOptions;
  readonly device?: DeviceName;
}

export async function explainFile(run: Run, options: ExplainFileOptions): Promise<Explanation> {
  const { row, source, against, rows, device } = options;
  const loaded = await run.rows(source, rows);
  try {
    const model = await run.model(device);
    try {
      const data = await model.features(loaded.data);
      const summaries = await run.summaries();
      return await explainRow(model, await rowOf(data, row, source ?? run.description.source.name), {
        ...(summaries && { summaries }),
        ...(!model.encoder && { columns: loaded.columns }),
        ...(against !== undefined && { against }),
      });
    } finally {
      await model.close();
    }
  } finally {
    await loaded.close();
  }
}

async function rowOf(data: Data, wanted: number, where: string): Promise<Float32Array> {
  if (!Number.isInteger(wanted) || wanted < 0 || wanted >= data.count) {
    throw new RangeError(`${where}: row must be a whole number from 0 to ${data.count - 1}, got ${wanted}`);
  }
  const width = sizeOf(data.row);
  const batch = 1024;
  let first = 0;
  for await (const { x } of data.inOrder(batch)) {
    if (wanted < first + x.shape[0]!) return x.data.slice((wanted - first) * width, (wanted - first + 1) * width);
    first += x.shape[0]!;
  }
  throw new RangeError(`${where}: changed while it was read; read it again when nothing writes to it`);
}
