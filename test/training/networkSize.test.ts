/** What a network will take is known before anything of it is built. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/index.ts";
import { methodOf } from "../../src/methods/methodOf.ts";
import { Random } from "../../src/tensor/random.ts";
import { sizeOf } from "../../src/tensor/tensor.ts";
import { buildNetwork } from "../../src/training/network.ts";
import { networkSize } from "../../src/training/networkSize.ts";
import { formulate, plan } from "../../src/training/plan.ts";

const size = fc.integer({ min: 1, max: 12 });
const rows = { row: [6], range: [0, 1] as const, count: 1000 };
const tell = methodOf("tell");

describe("the size of a network", () => {
  it("is what is built, for every kind, shape and width", () => {
    const kinds = fc.oneof(
      fc.record({ network: fc.constant("fullyConnected" as const), hidden: fc.array(size, { maxLength: 4 }) }),
      fc.record({
        network: fc.constant("tellConvolutional" as const),
        hidden: fc.array(size, { maxLength: 1 }),
        filters: fc.oneof(fc.constant([]), fc.array(size, { minLength: 4, maxLength: 4 })),
      }),
      fc.record({
        network: fc.constant("pooledConvolutional" as const),
        hidden: fc.array(size, { maxLength: 1 }),
        filters: fc.oneof(fc.constant([]), fc.array(size, { minLength: 2, maxLength: 2 })),
      }),
      fc.record({
        network: fc.constant("halvingConvolutional" as const),
        filters: fc.oneof(fc.constant([]), fc.array(size, { minLength: 2, maxLength: 2 })),
      }),
      fc.record({ network: fc.constant("none" as const) }),
    );
    const image = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 4, max: 17 }),
      fc.integer({ min: 4, max: 17 }),
    );
    fc.assert(
      fc.property(kinds, image, fc.integer({ min: 0, max: 9 }), (chosen, row, latent) => {
        const data = { row, range: [0, 1] as const, count: 50 };
        const { options } = plan(tell, data, { clusters: 3, options: { ...chosen, latent } });
        const network = buildNetwork(options, { ...data, clusters: 3 }, Random.seeded(1));
        const found = networkSize(options, { row, clusters: 3 });
        const built = network.parameters.reduce((sum, { attributes }) => sum + sizeOf(attributes.initial.shape), 0);
        expect([found.weights, found.latent]).toEqual([built, network.latent]);
      }),
      { numRuns: 60 },
    );
  });

  it("is never more than what a model of any method keeps", () => {
    for (const name of Object.keys(methods)) {
      const planned = plan(methodOf(name), rows, { clusters: 3, options: { hidden: [5], latent: 4 } });
      const { network, clustering } = formulate(planned, 0);
      const { weights, latent } = networkSize(planned.options, planned);
      expect([weights > 0 || network.parameters.length === 0, latent]).toEqual([true, network.latent]);
      expect(clustering.centers.shape).toEqual([3, latent]);
    }
  });
});

describe("a training that would not fit is refused before it is built", () => {
  it.each<[string, Record<string, unknown>]>([
    ["a huge code", { latent: 100_000_000 }],
    ["huge layers", { hidden: [1_000_000, 1_000_000] }],
    ["layers of numbers that nobody counts", { hidden: [Number.MAX_SAFE_INTEGER] }],
    ["huge batches of many rows", { batch: 1_000_000_000 }],
  ])("%s", (_, options) => {
    const many = { ...rows, count: 2 ** 30 };
    expect(() => plan(tell, many, { clusters: 2, options, memory: 4000 })).toThrow(
      /^tell: a training with 2 clusters.* would need about .* of memory, the limit is 4.0 GB; choose smaller hidden/,
    );
  });

  it("rows of a million numbers", () => {
    expect(() => plan(tell, { ...rows, row: [1_000_000], count: 4 }, { clusters: 2, memory: 4000 })).toThrow(
      "rows of 1000000 numbers",
    );
  });

  it("filters of a convolution", () => {
    const images = { row: [3, 64, 64], range: [0, 255] as const, count: 1000 };
    expect(() => plan(tell, images, { clusters: 2, memory: 4000, options: { filters: [9e5, 9e5, 1, 1] } })).toThrow(
      "limit",
    );
  });

  it("what a method keeps for each row", () => {
    const many = { ...rows, count: 2_000_000 };
    expect(() => plan(methodOf("dec"), many, { clusters: 10, memory: 4000 })).not.toThrow();
    expect(() => plan(methodOf("dec"), many, { clusters: 1000, memory: 4000 })).toThrow("1000 clusters");
    expect(() => plan(tell, rows, { clusters: 2, memory: 4000, options: { neighbours: 1e9 } })).not.toThrow();
  });

  it("but not a batch that is larger than the rows are many, nor very many epochs", () => {
    expect(() => plan(tell, rows, { clusters: 2, memory: 1000, options: { batch: 1e9, epochs: 2e9 } })).not.toThrow();
  });

  it("and numbers that are none to count with are refused as such", () => {
    expect(() => plan(tell, rows, { clusters: 2, options: { epochs: 1e12 } })).toThrow(
      "a whole number from 0 to 2147483647",
    );
    expect(() => plan(tell, rows, { clusters: 2, options: { hidden: Array(65).fill(1) } })).toThrow(
      "at most 64 of them",
    );
    expect(() => plan(tell, { ...rows, count: 2 ** 30 }, { clusters: 2 ** 21 })).toThrow("up to 1048576 clusters");
  });
});
