/** Do contributions add up? */

import { expect } from "vitest";
import { inputParts } from "../../src/explain/rows/inputParts.ts";
import { latentParts } from "../../src/explain/rows/latentParts.ts";
import type { Model } from "../../src/model/model.ts";
import type { Tensor } from "../../src/tensor/tensor.ts";
import { rowOf } from "./fitted.ts";

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

/** Parts of the code sum to the margins that the model's own distances have, and change sign with the pair. */
export async function expectLatentSums(model: Model, rows: Tensor<"float32">, own: number, other: number) {
  const { distances } = await model.assign(rows);
  const { parts, margins } = await latentParts(model, rows, { own, other });
  const swapped = await latentParts(model, rows, { own: other, other: own });
  margins.forEach((margin, i) => {
    const [a, b] = [rowOf(distances, i)[own]!, rowOf(distances, i)[other]!];
    // What float32 keeps depends on the numbers that were added.
    const scale = Math.abs(a) + Math.abs(b) + sum(parts[i]!.map(Math.abs));
    expect(Math.abs(margin - (b - a))).toBeLessThanOrEqual(1e-5 * scale);
    expect(Math.abs(sum(parts[i]!) - margin)).toBeLessThanOrEqual(1e-5 * scale);
    expect(swapped.parts[i]).toEqual(parts[i]!.map((part) => 0 - part));
  });
}

/**
 * Parts of the row, the start and the remainder sum to the margin, each row against another cluster; how many
 * evaluations it took.
 */
export async function expectSums(
  model: Model,
  rows: Tensor<"float32">,
  baselines: Tensor<"float32">,
): Promise<number[]> {
  const { labels, distances } = await model.assign(rows);
  const k = model.plan.clusters;
  const evaluated: number[] = [];
  for (let i = 0; i < rows.shape[0]!; i++) {
    const pair = { own: labels[i]!, other: (labels[i]! + 1 + (i % (k - 1))) % k };
    const [a, b] = [distances.data[k * i + pair.own]!, distances.data[k * i + pair.other]!];
    const baseline = rowOf(baselines, pair.other);
    const found = await inputParts(model, rowOf(rows, i), baseline, pair);
    const scale = Math.abs(a) + Math.abs(b);
    expect(Math.abs(found.start + sum(found.parts) + found.remainder - (b - a))).toBeLessThanOrEqual(
      1e-5 * (1 + scale),
    );
    expect(found.complete).toBe(true);
    const way = Math.abs(found.end - found.start);
    const allowed = Math.max(0.01 * Math.abs(b - a), 1e-3 * way, 1e-6 * (1 + scale));
    expect(Math.abs(found.remainder)).toBeLessThanOrEqual(allowed);
    evaluated.push(found.evaluations);
  }
  return evaluated;
}
