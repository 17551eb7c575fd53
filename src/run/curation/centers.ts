/** The same model with other centers: some of its own, and new ones after them. */

import { Model } from "../../model/model.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Weights } from "../../training/job.ts";

/** Codes are of length 1 where none differs from it by more. */
const unitWithin = 1e-3;

/**
 * The weights that change where a model is to have its own centers `kept`, as they are to the last bit, and after these
 * others, [a, latent]. What a method has beside a center begins as it would in a fit.
 */
export async function withCenters(
  model: Model,
  kept: readonly number[],
  added: Tensor<"float32">,
): Promise<Map<string, Tensor>> {
  const { clusters } = model.plan;
  const count = kept.length + added.shape[0]!;
  const [before, fresh] = [await model.weights(), await begun(model, count)];
  // What a method has for each center is what has another shape where there are others.
  const other = count === clusters ? (await begun(model, clusters + 1)).weights : fresh.weights;
  const perCenter = [...before.keys()].filter((name) => `${before.get(name)!.shape}` !== `${other.get(name)?.shape}`);
  const placed = fresh.placed(joined(await model.centers(), kept, added));
  if (!placed) {
    throw new RangeError(
      `curate: ${model.plan.method.name} places its centers by itself alone, so that clusters can be renamed and merged, and none can be added`,
    );
  }
  return new Map(
    perCenter.map((name) => {
      const [old, next] = [before.get(name)!, placed.get(name) ?? fresh.weights.get(name)!];
      const width = next.data.length / count;
      const data = next.data.slice() as Float32Array;
      kept.forEach((center, i) => {
        data.set((old.data as Float32Array).subarray(center * width, (center + 1) * width), i * width);
      });
      return [name, { ...next, data } as Tensor];
    }),
  );
}

/** The weights of a model of so many centers before it has learned anything, and how its centers are set. */
async function begun({ fit, device, formulas }: Model, clusters: number) {
  const options = { ...fit.plan.options, latent: fit.plan.options.latent || formulas.network.latent };
  const { members: _, ...plan } = fit.plan;
  const model = new Model({ ...fit, plan: { ...plan, options, clusters }, state: new Map() }, device);
  try {
    const weights: Weights = await model.weights();
    const { withCenters: placing } = model.formulas.clustering;
    const placed = (centers: Tensor<"float32">): Map<string, Tensor> | undefined =>
      placing && new Map([...placing(centers)].map(([{ attributes }, value]) => [attributes.name, value]));
    return { weights, placed };
  } finally {
    await model.close();
  }
}

function joined(own: Tensor<"float32">, kept: readonly number[], added: Tensor<"float32">): Tensor<"float32"> {
  const width = own.shape[1]!;
  const all = new Float32Array((kept.length + added.shape[0]!) * width);
  kept.forEach((center, i) => {
    all.set(own.data.subarray(center * width, (center + 1) * width), i * width);
  });
  all.set(added.data, kept.length * width);
  return tensor("float32", [kept.length + added.shape[0]!, width], all);
}

/** The mean of the codes of each group, from 0 to below `groups`; of length 1 where all codes are. */
export function meansOf(codes: Tensor<"float32">, labels: Int32Array, groups: number): Tensor<"float32"> {
  const [n, width] = codes.shape as [number, number];
  const [sums, sizes] = [new Float64Array(groups * width), new Int32Array(groups)];
  let isUnit = true;
  for (let i = 0; i < n; i++) {
    let square = 0;
    sizes[labels[i]!]!++;
    for (let c = 0; c < width; c++) {
      const value = codes.data[i * width + c]!;
      sums[labels[i]! * width + c]! += value;
      square += value * value;
    }
    if (Math.abs(square - 1) > unitWithin) isUnit = false;
  }
  const means = new Float32Array(groups * width);
  for (let g = 0; g < groups; g++) {
    const own = sums.subarray(g * width, (g + 1) * width);
    const length = isUnit ? Math.sqrt(own.reduce((total, value) => total + value * value, 0)) : sizes[g]!;
    own.forEach((value, c) => {
      means[g * width + c] = value / (length || 1);
    });
  }
  return tensor("float32", [groups, width], means);
}
