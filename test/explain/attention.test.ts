/** A row's loss as attention: what each cluster adds to it, and that the parts add up. */

import { describe, expect, it } from "vitest";
import { attends } from "../../src/explain/rows/attention.ts";
import { unitTensor } from "../../src/numerics/kmeans.ts";
import { blobs } from "../support/blobs.ts";
import { changed, fitted, rowOf } from "./fitted.ts";

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe("TELL", async () => {
  const { rows } = blobs();
  const model = await fitted(rows, { method: "tell", clusters: 7, epochs: 2 });

  it("T12: Σⱼ Iⱼ (2 − Wⱼᵀx) of a row, by the numbers of its code and of W = 2Ω", async () => {
    const { attention, placement } = await model.explain(rowOf(rows, 5));
    const x = unitTensor(await model.transform([rowOf(rows, 5)])).data;
    const { data: omega } = await model.centers();
    const temperature = Number((await model.weights()).get("temperature")!.data[0]);
    const dissimilarity = Array.from(
      { length: 7 },
      (_, j) => 2 - sum(Array.from(x, (value, a) => 2 * omega[j * x.length + a]! * value)),
    );
    const near = dissimilarity.map((value) => Math.exp(-value / temperature));
    const I = near.map((value) => value / sum(near));
    expect(attention!.parts).toHaveLength(7);
    for (const { cluster, ...part } of attention!.parts) {
      expect(part.dissimilarity).toBeCloseTo(dissimilarity[cluster]!, 4);
      expect(part.attention).toBeCloseTo(I[cluster]!, 4);
      expect(part.part).toBeCloseTo(I[cluster]! * dissimilarity[cluster]!, 4);
    }
    expect(attention!.loss).toBeCloseTo(sum(I.map((value, j) => value * dissimilarity[j]!)), 4);
    expect(sum(attention!.parts.map(({ attention }) => attention))).toBeCloseTo(1, 5);
    expect(attention!.parts[0]).toMatchObject({ cluster: placement.cluster, attention: placement.confidence });
  });

  it("is told of the first row of each kind in a summary, five clusters one by one and the others together", async () => {
    for (const { typical, borderline, size } of await model.summarize(rows)) {
      if (size === 0) continue;
      for (const [first, ...rest] of [typical, borderline]) {
        const { parts, others, loss } = first!.attention!;
        expect(parts).toHaveLength(5);
        expect(others!.clusters).toBe(2);
        expect(sum(parts.map(({ part }) => part)) + others!.part).toBeCloseTo(loss, 10);
        expect(sum(parts.map(({ attention }) => attention)) + others!.attention).toBeCloseTo(1, 5);
        expect(rest.filter(({ attention }) => attention)).toEqual([]);
      }
    }
  });

  it("has none where clusters were merged, nor have methods whose loss is another", async () => {
    const merged = changed(model, { plan: { ...model.plan, members: [[0, 1], [2], [3], [4], [5], [6]] } });
    expect([attends(model), attends(merged)]).toEqual([true, false]);
    const other = await fitted(rows, { method: "pcx", epochs: 1, pretraining: 1 });
    expect((await other.explain(rowOf(rows, 5))).attention).toBeUndefined();
  });
});
