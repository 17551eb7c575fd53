/** What turns one cluster into another: a model is asked about its centers, and needs no rows for it. */

import type { Program } from "../runtime/program.ts";
import { sizeOf, tensor, toNumbers } from "../tensor/tensor.ts";
import { clusterCount, leadingCenter } from "../training/membership.ts";
import type { Model } from "./model.ts";

/** The line between two centers, decoded. */
export interface Between {
  /** 0 at the first center, 1 at the second. */
  readonly at: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly clusters: readonly number[];
}

/** Of the program over codes. */
const decoderOf = (model: Model): Program => model.decoder();
const layerOf = (model: Model): Program => model.layer();

/** The model's rows along the line between the centers of two clusters. */
export async function between(model: Model, a: number, b: number, steps: number): Promise<Between> {
  const { plan, formulas } = model;
  if (formulas.clustering.decoderIsStale) {
    throw new RangeError(
      `between: ${plan.method.name} leaves its decoder behind, so that nothing between clusters can be drawn`,
    );
  }
  const known = clusterCount(plan);
  for (const cluster of [a, b]) {
    if (!(cluster < known)) throw new RangeError(`between: a cluster must be from 0 to ${known - 1}, got ${cluster}`);
  }
  const [from, to] = [leadingCenter(plan, a), leadingCenter(plan, b)];
  const { data: centers, shape } = await model.centers();
  const width = shape[1]!;
  const at = Array.from({ length: steps }, (_, i) => i / (steps - 1));
  const codes = new Float32Array(steps * width);
  at.forEach((share, i) => {
    for (let c = 0; c < width; c++) {
      codes[i * width + c] = (1 - share) * centers[from * width + c]! + share * centers[to * width + c]!;
    }
  });
  const z = tensor("float32", [steps, width], codes);
  const { x } = await (await model.session(decoderOf)).run({ z });
  const { label } = await (await model.session(layerOf)).run({ z });
  const size = sizeOf(plan.row);
  const rows = at.map((_, i) => Array.from((x!.data as Float32Array).subarray(i * size, (i + 1) * size)));
  return { at, rows, clusters: toNumbers(label!) };
}
