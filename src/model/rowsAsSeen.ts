/** Some rows as the network of a model sees them: enough to look for groups in. */

import type { Data } from "../data/data.ts";
import { scaledRows } from "../data/scaling.ts";
import { Random } from "../tensor/random.ts";
import { sizeOf, type Tensor, tensor } from "../tensor/tensor.ts";
import { fewColumns, rowsToChooseBy, type ViewOfRows } from "../training/chooseClusters.ts";
import type { Model } from "./model.ts";
import { sampleRows } from "./sampleRows.ts";

/** At most 2,000 rows [n, d] of the model's features, scaled. */
export async function rowsAsSeen({ plan }: Pick<Model, "plan">, features: Data): Promise<Tensor<"float32">> {
  return scaledRows(await someOf(features, plan.seed), plan.scaling);
}

/** The codes of as many rows, spread over all; of few columns, also these rows as the network sees them. */
export async function codesAsSeen(model: Model, data: Data, seed: number): Promise<ViewOfRows> {
  const sample = (await sampleRows(data, rowsToChooseBy, seed)).data;
  const codes = await model.transform(sample);
  // Of more columns they would say nothing, and behind an encoder they cost as much as the codes.
  if (sizeOf(model.plan.row) > fewColumns) return codes;
  const { count, row, tensor: features } = await model.features(sample);
  if (!features) return codes;
  return { codes, rows: scaledRows(tensor("float32", [count, sizeOf(row)], features.data), model.plan.scaling) };
}

/** The first of all rows in a random order: of rows on disk only a part is read. */
async function someOf(data: Data, seed: number): Promise<Tensor<"float32">> {
  const size = Math.min(rowsToChooseBy, data.count);
  for await (const { x } of data.shuffled(size, Random.seeded(seed).fork("groups"))) {
    return tensor("float32", [x.shape[0]!, sizeOf(data.row)], x.data);
  }
  throw new RangeError("groups: there are no rows");
}
