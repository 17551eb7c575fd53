/**
 * What the paper proves or claims about k-meansNet: the layer is k-means, its loss is bounded; and where its literal
 * reading fails.
 */

import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { concatenate } from "../../src/graph/arrange.ts";
import { add, divide, multiply, negate, subtract } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, type Node, variable } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { softmax, sum } from "../../src/graph/reduce.ts";
import { withinLoss } from "../../src/methods/clusterMeans.ts";
import { clusteringLoss, coupledBias, kmeansnet, layerScores, softAssignment } from "../../src/methods/kmeansnet.ts";
import { nearest, squaredDistances, unitRows } from "../../src/nn/distances.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { layerOf, weighted } from "./theory/kmeansnet.ts";

const device = await findDevice(devices, "cpu");

const normal = (rows: number, columns: number, seed: number) =>
  constant(tensor("float32", [rows, columns], Random.seeded(seed).normals(rows * columns)));
const number = (node: Node): number => numbers(node)[0]!;

/** Powers of two, which float32 holds as they are. */
const alphas = [1 / 1024, 1 / 16, 1 / 2, 4];

describe("the layer is k-means:", () => {
  const n = 20;
  const [x, centers] = [unitRows(normal(n, 3, 1)), normal(4, 3, 2)];
  const distances = squaredDistances(x, centers);

  it.each(alphas)("K6: Wᵀx + b is α − α‖x − Ω‖² for rows of length 1: α = %d", (alpha) => {
    const { W, b } = layerOf(centers, alpha);
    const expected = numbers(distances).map((distance) => alpha - alpha * distance);
    expectClose(numbers(layerScores(x, W, b)), expected, 1e-9);
    // In general it is α‖x‖².
    const long = multiply(x, 3);
    const far = numbers(squaredDistances(long, centers)).map((distance) => 9 * alpha - alpha * distance);
    expectClose(numbers(layerScores(long, W, b)), far, 1e-9);
  });

  it.each(alphas)("K5 and K8: the layer's softmax is that of −α‖x − Ω‖²: α = %d", (alpha) => {
    const { W, b } = layerOf(centers, alpha);
    expectClose(numbers(softAssignment(layerScores(x, W, b))), numbers(softmax(multiply(distances, -alpha))), 1e-9);
  });

  it.each(alphas)("K10: the coupled bias is −α‖Ω‖² again: α = %d", (alpha) => {
    const { W, b } = layerOf(centers, alpha);
    expectClose(numbers(coupledBias(W, alpha)), numbers(b), 1e-12);
  });

  it.each(alphas)(
    "K7, K9 and K10: coupled, the loss is k-means' for hard and soft k-means' for soft I: α = %d",
    (alpha) => {
      const { W } = layerOf(centers, alpha);
      const scores = layerScores(x, W, coupledBias(W, alpha));
      const hard = number(withinLoss(nearest(distances), distances));
      expect(number(clusteringLoss(nearest(negate(scores)), scores, alpha))).toBeCloseTo(hard, 8);
      const soft = number(withinLoss(softmax(multiply(distances, -alpha)), distances));
      expect(number(clusteringLoss(softAssignment(scores), scores, alpha))).toBeCloseTo(soft, 8);
      expect(soft).toBeGreaterThan(hard);
    },
  );

  it.each(alphas)("K7 and K9: −(1/α) Σ f(z) with z = Wᵀx + b − α is K7 and 1 for each row: α = %d", (alpha) => {
    const { W, b } = layerOf(centers, alpha);
    const scores = layerScores(x, W, b);
    const I = softAssignment(scores);
    const K9 = -number(sum(weighted(subtract(scores, alpha)))) / alpha;
    const K7 = -number(sum(multiply(I, scores))) / alpha;
    expect(K9).toBeCloseTo(K7 + n, 8);
    // Ours is the mean over rows.
    expect(number(clusteringLoss(I, scores, alpha))).toBeCloseTo(K9 / n, 8);
  });

  it("K10: coupled, the loss is never below 0; with b free it has no least", () => {
    const alpha = 0.5;
    const { W, b } = layerOf(centers, alpha);
    const lossWith = (bias: Node): number => {
      const scores = layerScores(x, W, bias);
      return number(clusteringLoss(softAssignment(scores), scores, alpha));
    };
    expect(lossWith(coupledBias(W, alpha))).toBeGreaterThan(0);
    for (const more of [1, 10, 100]) expect(lossWith(add(b, more))).toBeCloseTo(lossWith(b) - more / alpha, 8);
  });

  it("K10: ‖W‖ ≤ 2α holds for means of rows of length 1, and a step of the centers keeps it", async () => {
    const data = toData(tensor("float32", [60, 4], Random.seeded(3).normals(240)));
    const restart = new Restart(
      plan(kmeansnet, data, { clusters: 5, options: { network: "none", alpha: 0.25, batch: 10 } }),
      0,
      data,
      device,
    );
    await restart.begin();
    for (let epoch = 0; epoch < 3; epoch++) {
      await restart.cluster(epoch);
      const { data: W } = (await restart.save()).get("W") as Tensor<"float32">;
      const lengths = Array.from({ length: 5 }, (_, j) => Math.hypot(...W.slice(4 * j, 4 * j + 4)));
      expect(Math.max(...lengths)).toBeLessThan(2 * 0.25);
      expect(Math.min(...lengths)).toBeGreaterThan(0.1);
    }
    await restart.close();
  });

  it("with all rows in a step the loss never rises, and ends where Lloyd's algorithm would stay", async () => {
    const data = toData(blobs(60, { deviation: 0.3 }).rows);
    const options = { network: "none", batch: 60, start: "rows" };
    const restart = new Restart(plan(kmeansnet, data, { clusters: 3, options }), 0, data, device);
    await restart.begin();
    const losses: number[] = [];
    // Always the first epoch's step of 1: a later one is shorter.
    for (let step = 0; step < 60; step++) losses.push((await restart.cluster(0)).losses.loss!);
    losses.slice(1).forEach((loss, t) => {
      expect(loss).toBeLessThanOrEqual(losses[t]! + 1e-6);
    });
    expect(losses.at(-1)).toBeLessThan(losses[0]! - 0.01);
    const rows = numbers(unitRows(constant(blobs(60, { deviation: 0.3 }).rows)));
    const labels = await restart.labels();
    const expected = [0, 1, 2].flatMap((j) =>
      [0, 1, 2, 3].map((c) => {
        const own = [...labels].flatMap((label, i) => (label === j ? [rows[4 * i + c]!] : []));
        return own.reduce((a, b) => a + b, 0) / own.length;
      }),
    );
    expectClose((await restart.centers()).data, expected, 1e-3);
    await restart.close();
  });
});

describe("the loss's derivative,", () => {
  it("K13 and K14: with b as one more weight, f is −α times K7, row by row", () => {
    const alpha = 0.5;
    const [x, W, b] = [unitRows(normal(6, 3, 4)), normal(4, 3, 5), normal(4, 1, 6)];
    const ones = matrix(...Array.from({ length: 6 }, () => [1]));
    const z = matmul(concatenate([x, ones], 1), concatenate([W, b], 1), { transposeB: true });
    const bias = constant(fromNumbers("float32", [4], numbers(b)));
    const scores = layerScores(x, W, bias);
    expectClose(numbers(z), numbers(scores), 1e-12);
    // Ours is the mean over six rows, and has 1 for ‖x‖².
    const K7 = 6 * (number(clusteringLoss(softAssignment(scores), scores, alpha)) - 1);
    expect(number(sum(weighted(z)))).toBeCloseTo(-alpha * K7, 8);
    // By hand, one row: softmax(1, −1)·(1, −1) is tanh 1.
    expect(number(weighted(matrix([1, -1])))).toBeCloseTo(Math.tanh(1), 12);
  });

  it.each([0.002, 1, 20])("K15 and K16: it is p + pz − pΣpz, and at most 1 + |z| + max|z|: |z| ≤ %d", (range) => {
    const [n, k] = [500, 4];
    const z = constant(tensor("float32", [n, k], Random.seeded(4).uniforms(n * k, -range, range)));
    const [slopes, values] = [gradient(sum(weighted(z)), [z])[0]!, z].map(numbers) as [number[], number[]];
    let printedIsWrong = 0;
    for (let i = 0; i < n; i++) {
      const row = values.slice(k * i, k * i + k);
      const weights = row.map(Math.exp);
      const p = weights.map((weight) => weight / weights.reduce((a, b) => a + b, 0));
      const expected = row.map((own, j) => p[j]! * (1 + own - row.reduce((total, z, l) => total + p[l]! * z, 0)));
      expectClose(slopes.slice(k * i, k * i + k), expected, 1e-9);
      const farthest = Math.max(...row.map(Math.abs));
      expected.forEach((slope, j) => {
        expect(Math.abs(slope)).toBeLessThanOrEqual(1 + Math.abs(row[j]!) + farthest);
        // As printed, pᵢ + pᵢzᵢ − pᵢpⱼzᵢ, there is no j for which it would be so.
        const wrong = p.every((other) => Math.abs(p[j]! * (1 + row[j]! - other * row[j]!) - slope) > 1e-9);
        printedIsWrong += Number(wrong);
      });
    }
    expect(printedIsWrong).toBeGreaterThan(n);
    // It is much smaller than that: z − Σpz is ln p and the entropy of p, which leaves −e⁻² to 1 + ln k for any z.
    expect(Math.min(...slopes)).toBeGreaterThan(-Math.exp(-2));
    expect(Math.max(...slopes)).toBeLessThan(1 + Math.log(k));
  });

  it.each([0.1, 1, 5])(
    "K16: in W it is the same times x, at most 1 + 4α where ‖x‖ = 1 and ‖W‖ ≤ 2α: α = %d",
    (alpha) => {
      const x = unitRows(normal(1, 3, 7));
      const W = multiply(unitRows(normal(50, 3, 8)), 2 * alpha);
      const z = matmul(x, W, { transposeB: true });
      const [inZ, inW] = gradient(sum(weighted(z)), [z, W]).map(numbers) as [number[], number[]];
      const lengths = inZ.map((_, j) => Math.hypot(...inW.slice(3 * j, 3 * j + 3)));
      expectClose(lengths, inZ.map(Math.abs), 1e-9);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(1 + 4 * alpha);
    },
  );
});

describe("read literally it fails:", () => {
  const { rows, labels } = blobs(120, { deviation: 0.1 });
  const data = toData(rows);

  it("K8: at α = 0.001 the softmax is 1/k to three digits for any rows and centers of length 1", () => {
    // The scores lie between −2α − α and 2α − α, so that no two differ by more than 4α.
    const [x, centers] = [unitRows(normal(200, 10, 9)), unitRows(normal(10, 10, 10))];
    const { W, b } = layerOf(centers, 1e-3);
    const I = numbers(softAssignment(layerScores(x, W, b)));
    for (const share of I) expect(Math.abs(share - 0.1)).toBeLessThan(0.1 * 4e-3);
    // Even a row that lies on a center belongs to it no more than to the opposite one.
    const opposite = layerOf(matrix([1, 0], [-1, 0]), 1e-3);
    expectClose(numbers(softAssignment(layerScores(matrix([1, 0]), opposite.W, opposite.b))), [0.501, 0.499], 1e-6);
  });

  it("K8: so that every Ω is pulled to the mean of all rows, by a gradient that is the same for all but 1 %", () => {
    const alpha = 1e-3;
    const x = unitRows(constant(rows));
    const W = variable("W", fromNumbers("float32", [3, 4], [2e-3, 0, 0, 0, 0, 2e-3, 0, 0, 0, 0, 2e-3, 0]));
    const b = variable("b", fromNumbers("float32", [3], [-1e-3, -1e-3, -1e-3]));
    const scores = layerScores(x, W, b);
    const slopes = numbers(gradient(clusteringLoss(softAssignment(scores), scores, alpha), [W])[0]!);
    const mean = numbers(divide(sum(x, { axes: [0] }), 120));
    // −(1/α)(1/k) times the mean of all rows.
    const expected = [0, 1, 2].flatMap(() => mean.map((value) => -value / (3 * alpha)));
    expectClose(slopes, expected, 1e-2);
  });

  it("K9: with b free the slopes of all b sum to −1/α whatever the rows: some b always rises", () => {
    for (const alpha of alphas) {
      const [x, W] = [unitRows(normal(30, 3, 11)), multiply(normal(5, 3, 12), 2 * alpha)];
      const b = variable("b", tensor("float32", [5], Random.seeded(13).normals(5)));
      const scores = layerScores(x, W, b);
      for (const I of [softAssignment(scores), nearest(negate(scores))]) {
        const slopes = numbers(gradient(clusteringLoss(I, scores, alpha), [b])[0]!);
        expect(slopes.reduce((a, c) => a + c, 0) * alpha).toBeCloseTo(-1, 9);
      }
    }
  });

  /** A pretrained network, and then some epochs of clustering. */
  async function trained(settings: Record<string, unknown>, epochs: number) {
    const options = { hidden: [16], latent: 3, batch: 20, startRestarts: 5, rate: 1e-3, ...settings };
    const restart = new Restart(plan(kmeansnet, data, { clusters: 3, options }), 0, data, device);
    for (let epoch = 0; epoch < 100; epoch++) await restart.pretrain(epoch);
    await restart.begin();
    const seen = [];
    for (let epoch = 0; epoch < epochs; epoch++) {
      const { losses, sizes } = await restart.cluster(epoch);
      const b = (await restart.save()).get("b");
      seen.push({ loss: losses.loss!, sizes: sizes!, ...(b && { b: [...b.data].map(Number) }) });
    }
    const found = [...(await restart.labels())];
    await restart.close();
    return { seen, found };
  }

  it("K9: a free b rises in every epoch and takes the loss below any bound, while one cluster swallows the others", async () => {
    const { seen, found } = await trained({ bias: "free", centerStep: "optimizer", assignment: "soft" }, 30);
    expect(seen[0]!.sizes).toEqual([40, 40, 40]);
    for (const [epoch, { loss, b }] of seen.entries()) {
      const before = seen[epoch - 1];
      // Six steps of 0.001 each, as long as Adam makes them; all biases started at −0.001.
      b!.forEach((value, j) => {
        expect(value - (before ? before.b![j]! : -1e-3)).toBeCloseTo(6e-3, 4);
      });
      if (before) expect(loss).toBeLessThan(before.loss - 10);
    }
    expect(seen.at(-1)!.loss).toBeLessThan(-300);
    expect(new Set(found).size).toBe(1);
  });

  it("K10: with b coupled and hard assignments, which is the default, all clusters live and stay what they are", async () => {
    const { seen, found } = await trained({}, 30);
    for (const { loss, sizes, b } of seen) {
      expect(sizes).toEqual([40, 40, 40]);
      expect(loss).toBeGreaterThan(0);
      expect(loss).toBeLessThan(0.1);
      expect(b).toBeUndefined();
    }
    const pairs = new Set(found.map((label, i) => `${label} ${labels[i]}`));
    expect(pairs.size).toBe(3);
  });
});
