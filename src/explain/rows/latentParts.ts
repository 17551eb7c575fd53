/** Why a and not b, by the numbers of a code: parts that add up to the margin d_b − d_a. */

import { reshape } from "../../graph/arrange.ts";
import { abs, multiply } from "../../graph/elementwise.ts";
import { input, type Node } from "../../graph/node.ts";
import { sum } from "../../graph/reduce.ts";
import { inProportion, squaredParts } from "../../nn/distances.ts";
import { type Program, program } from "../../runtime/program.ts";
import { type Tensor, toNumbers } from "../../tensor/tensor.ts";
import type { Clustering } from "../../training/method.ts";
import { scaled } from "../../training/scaled.ts";
import { type Explainable, type Pair, weightsOf } from "../explainable.ts";

export interface LatentParts {
  /** Of each row: what each number of its code, and then whatever else there is, adds to the margin. */
  readonly parts: readonly (readonly number[])[];
  /** Of each row, d_b − d_a. */
  readonly margins: readonly number[];
  readonly codes: Tensor<"float32">;
}

/** What the parts are called: the numbers of a code by their place, then what the method names. */
export function partNames({ formulas: { network, clustering } }: Explainable): string[] {
  return [...Array.from({ length: network.latent }, (_, i) => `z[${i}]`), ...(clustering.partNames ?? [])];
}

/** Parts of the margins of rows [n, …row] between two clusters. Parts that do not add up are an error. */
export async function latentParts(model: Explainable, rows: Tensor<"float32">, pair: Pair): Promise<LatentParts> {
  const w = weightsOf(pair, model);
  const session = await model.session(partsProgram);
  const values = await session.run({ x: rows, w });
  const [flat, margins, scales] = [values.parts!, values.margin!, values.scale!].map(toNumbers) as [
    number[],
    number[],
    number[],
  ];
  const m = values.parts!.shape[1]!;
  const parts = margins.map((margin, i) => {
    const own = flat.slice(i * m, (i + 1) * m);
    checkSum(own, margin, scales[i]!);
    return own;
  });
  return { parts, margins, codes: values.z as Tensor<"float32"> };
}

/** Parts [n, k, m] of the distances: the method's own, or each distance in proportion to (zᵢ − ωⱼᵢ)². */
export function partsOf(clustering: Clustering, z: Node): Node {
  if (clustering.parts) return clustering.parts(z);
  const comparable = clustering.comparable?.(z) ?? z;
  return inProportion(squaredParts(comparable, clustering.centers), clustering.distances(z));
}

function partsProgram({ plan, formulas: { code, clustering } }: Explainable): Program {
  const w = input("w", [plan.clusters]);
  const z = code(scaled(input("x", ["n", ...plan.row]), plan.scaling));
  const d = clustering.distances(z);
  // Σⱼ wⱼ partsⱼᵢ, Σⱼ wⱼ dⱼ
  const parts = sum(multiply(partsOf(clustering, z), reshape(w, [1, plan.clusters, 1])), { axes: [1] });
  const margin = sum(multiply(d, w), { axes: [1] });
  const scale = sum(multiply(abs(d), abs(w)), { axes: [1] });
  return program({ outputs: { parts, margin, scale, z } });
}

/** |Σ parts − margin| within what float32 loses on numbers of this size. */
function checkSum(parts: readonly number[], margin: number, scale: number): void {
  let [total, size] = [0, scale];
  for (const part of parts) {
    total += part;
    size += Math.abs(part);
  }
  // Written so that NaN fails too.
  if (Math.abs(total - margin) <= 1e-4 * size) return;
  throw new RangeError(
    `explain: the parts of a margin must add up to it, ${margin}, got ${total}; the method's parts() does not fit its distances()`,
  );
}
