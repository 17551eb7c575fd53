import { describe, it } from "vitest";
import { methods } from "../../src/methods/index.ts";
import { blobs } from "../support/blobs.ts";
import { fitted } from "./fitted.ts";
import { expectLatentSums, expectSums } from "./sums.ts";

/** The methods as they are, and as options make other distances of them. */
const variants: [title: string, method: string, options: object][] = [
  ...Object.keys(methods).map((name): [string, string, object] => [name, name, {}]),
  ["tell with free lengths", "tell", { normalizeWeight: false, normalizeGradient: false, step: 0.01 }],
  ["k-meansNet with a free bias", "kmeansnet", { bias: "free" }],
  ["dkm with cosine", "dkm-p", { distance: "cosine" }],
  ["spherical k-means", "kmeans", { spherical: true }],
  ["homo by P2", "homo", { inference: "P2" }],
  ["hoe by P2", "hoe", { inference: "P2" }],
  ["hot by P2", "hot", { inference: "P2" }],
  ["hit by P2", "hit", { inference: "P2", sphere: false }],
];

describe.each(variants)("%s:", (_title, method, options) => {
  it("parts add up to the margin, of the code and of the row, for every pair of clusters", async () => {
    const model = await fitted(blobs(60).rows, { method, pretraining: 5, ...options });
    const { rows } = blobs(24, { deviation: 0.1 });
    for (const own of [0, 1, 2]) await expectLatentSums(model, rows, own, (own + 1) % 3);
    // Where there is no exemplar, rows of the data will do.
    const baselines = (await model.exemplars()) ?? blobs(3, { seed: 5 }).rows;
    await expectSums(model, blobs(4, { deviation: 0.1, seed: 3 }).rows, baselines);
    await model.close();
  });
});
