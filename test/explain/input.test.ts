import { describe, expect, it } from "vitest";
import { inputParts } from "../../src/explain/rows/inputParts.ts";
import { multiply } from "../../src/graph/elementwise.ts";
import { constant } from "../../src/graph/node.ts";
import { fullyConnected } from "../../src/nn/autoencoders.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import type { NetworkBuilder } from "../../src/training/network.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { changed, digits, fitted, rowOf } from "./fitted.ts";
import { expectSums } from "./sums.ts";

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

describe("digits", () => {
  it("are explained by pixels, with a remainder of at most 1 %, in few evaluations", async () => {
    const rows = await digits(600);
    const options = {
      clusters: 5,
      method: "tell",
      network: "fullyConnected" as const,
      hidden: [32],
      latent: 5,
      batch: 60,
    };
    const model = await fitted(rows, options);
    const few = tensor("float32", [20, 1, 28, 28], rows.data.slice(0, 20 * 784));
    const evaluations = await expectSums(model, few, (await model.exemplars())!);
    expect(Math.max(...evaluations)).toBeLessThan(400);
    // Pixels at the edge are 0 in every digit, and so nearly in every exemplar: they explain nothing.
    const { parts, end, start } = await inputParts(model, rowOf(rows, 0), rowOf(rows, 1), { own: 0, other: 1 });
    expect(parts[0]).toBe(0);
    expect(sum(parts.map(Math.abs))).toBeGreaterThan(Math.abs(end - start));
    await model.close();
  });
});

describe("a table with units", () => {
  const units = [1, 1000, 100, 30_000];
  const inUnits = (value: number, at: number): number => value * units[at % 4]! - 20 * (at % 4);
  const table = tensor("float32", [120, 4], blobs().rows.data.map(inUnits));

  it("has the same parts as the numbers that its scaling makes of it", async () => {
    const model = await fitted(table, { method: "dkm-p" });
    expect(model.plan.scaling).toBeDefined();
    const [row, baseline, pair] = [rowOf(table, 0), rowOf(table, 1), { own: 0, other: 1 }];
    const { shift, factor } = model.plan.scaling!;
    const { scaling: _, ...plan } = model.plan;
    const bare = changed(model, { plan });
    const scaled = (values: Float32Array) => values.map((value, c) => (value - shift[c]!) * factor[c]!);
    const [own, same] = [
      await inputParts(model, row, baseline, pair),
      await inputParts(bare, scaled(row), scaled(baseline), pair),
    ];
    expectClose(own.parts, same.parts, 1e-4);
    await model.close();
  });

  it("changes every sign where the clusters change places", async () => {
    const model = await fitted(table, { method: "tell" });
    const [row, baseline] = [rowOf(table, 0), rowOf(table, 1)];
    const one = await inputParts(model, row, baseline, { own: 0, other: 2 });
    const two = await inputParts(model, row, baseline, { own: 2, other: 0 });
    expect([...two.parts]).toEqual([...one.parts].map((part) => 0 - part));
    expect([two.start, two.end]).toEqual([0 - one.start, 0 - one.end]);
    await model.close();
  });

  it("gives nothing to a column that the network does not look at", async () => {
    const blind: NetworkBuilder = ([columns], random) => {
      const network = fullyConnected({ columns: columns!, hidden: [6], latent: 3 }, random);
      const seen = constant(fromNumbers("float32", [1, 4], [1, 1, 1, 0]));
      return { ...network, encode: (x, pass) => network.encode(multiply(x, seen), pass) };
    };
    const model = await fitted(table, { method: "dkm-p", network: blind });
    const { parts } = await inputParts(model, rowOf(table, 0), rowOf(table, 1), { own: 0, other: 1 });
    expect(parts[3]).toBe(0);
    expect(parts.slice(0, 3).every((part) => part !== 0)).toBe(true);
    await model.close();
  });
});
