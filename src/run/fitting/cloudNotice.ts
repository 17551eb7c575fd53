/** Whether the rows of a run show groups at all: a sentence where they do not. */

import type { Data } from "../../data/data.ts";
import type { Scaling } from "../../data/scaling.ts";
import type { Model } from "../../model/model.ts";
import { Random } from "../../tensor/random.ts";
import { sizeOf, type Tensor, tensor } from "../../tensor/tensor.ts";
import { looksLikeOneCloud, oneCloudNotice, rowsToChooseBy } from "../../training/chooseClusters.ts";
import type { RunDescription } from "../folder/schemas/runDescription.ts";

interface NoticeOptions {
  readonly stage: (stage: string, done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Where the number of clusters was left open, what that has shown; where it was given, what some of the rows show, as
 * the network sees them: codes that have learned clusters would show them in any rows.
 */
export async function cloudNotice(
  model: Model,
  data: Data,
  { choice }: RunDescription,
  { stage, signal }: NoticeOptions,
): Promise<string | undefined> {
  const { clusters, seed, scaling } = model.plan;
  if (clusters === 1) return undefined;
  if (choice) return choice.between?.[1] === 1 ? oneCloudNotice : undefined;
  const onTried = (done: number, total: number): void => stage("looking for groups", done, total);
  const rows = scaledRows(await someOf(data, seed), scaling);
  const isCloud = await looksLikeOneCloud(rows, clusters, seed, { onTried, ...(signal && { signal }) });
  return isCloud ? oneCloudNotice : undefined;
}

/** The first of all rows in a random order: of rows on disk only a part is read. */
async function someOf(data: Data, seed: number): Promise<Tensor<"float32">> {
  const size = Math.min(rowsToChooseBy, data.count);
  for await (const { x } of data.shuffled(size, Random.seeded(seed).fork("groups"))) {
    return tensor("float32", [x.shape[0]!, sizeOf(data.row)], x.data);
  }
  throw new RangeError("groups: there are no rows");
}

/** (x − shift)·factor, with what stands for missing numbers. */
function scaledRows({ data, shape }: Tensor<"float32">, scaling: Scaling | undefined): Tensor<"float32"> {
  if (!scaling) return tensor("float32", shape, data);
  const { shift, factor, missing } = scaling;
  const width = shape[1]!;
  const of = (values: readonly number[], at: number): number => values[values.length === 1 ? 0 : at % width]!;
  const scaled = data.map((value, at) => {
    const whole = missing && Number.isNaN(value) ? of(missing, at) : value;
    return (whole - of(shift, at)) * of(factor, at);
  });
  return tensor("float32", shape, scaled);
}
