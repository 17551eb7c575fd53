/** What the paper proves or claims about PC-X: where centers go, what a step does to the loss, what sizes are for. */

import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { devices, findDevice } from "../../src/doors/inside.ts";
import { reshape } from "../../src/graph/arrange.ts";
import { add, divide, multiply, square, subtract } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import { sum } from "../../src/graph/reduce.ts";
import { withinLoss } from "../../src/methods/clusterMeans.ts";
import {
  followCenters,
  followSizes,
  jointLoss,
  keptShare,
  pcx,
  pcxImbalanced,
  relativeSizes,
  reweightedLoss,
  smoothedSizes,
} from "../../src/methods/pcx.ts";
import { nearest, squaredDistances } from "../../src/nn/distances.ts";
import { squaredDistance } from "../../src/nn/losses.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { plan } from "../../src/training/plan.ts";
import { Restart } from "../../src/training/restart.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { fitOn } from "../support/fit.ts";
import { numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const device = await findDevice(devices, "cpu");

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));
const normal = (rows: number, columns: number, seed: number) =>
  constant(tensor("float32", [rows, columns], Random.seeded(seed).normals(rows * columns)));

describe("P4, with assignments held:", () => {
  const [n, k, d, rho, eta1] = [20, 4, 3, 0.7, 1.3];
  const c = input("c", [k, d]);
  const mu = input("mu", [k, d]);
  const [z, start] = [normal(n, d, 1), normal(k, d, 2)];
  const delta = nearest(squaredDistances(z, start));
  const clustering = (at: Node): Node => multiply(withinLoss(delta, squaredDistances(z, at)), eta1);
  const penalty = multiply(sum(square(subtract(c, mu))), rho);
  const loss = add(clustering(c), penalty);
  const size = sum(delta, { axes: [0] });
  const total = matmul(delta, z, { transposeA: true });
  const means = numbers(divide(total, reshape(size, [k, 1])));
  /** c⁺ from μ. */
  const followed = (from: Node) => followCenters(from, total, size, keptShare(size, rho, eta1));
  const valued = (at: number[]): Value => ({ shape: [k, d], data: Float64Array.from(at) });
  const at = (cs: number[], mus: number[]) =>
    new Map<Node, Value>([
      [c, valued(cs)],
      [mu, valued(mus)],
    ]);
  const lossAt = (cs: number[], mus: number[]): number => evaluate([loss], at(cs, mus), n)[0]!.data[0]!;
  const before = numbers(start);
  const after = numbers(followed(start));

  it("P4, P6, P15 and P16: at the new centers the loss has no slope, and nowhere a smaller value", () => {
    const [slope] = evaluate(gradient(loss, [c]), at(after, before), n);
    expectClose(slope!.data, Array(k * d).fill(0), 1e-12);
    const random = Random.seeded(3);
    for (let trial = 0; trial < 50; trial++) {
      const noise = random.normals(k * d);
      const moved = after.map((value, i) => value + 10 ** -(trial % 3) * noise[i]!);
      expect(lossAt(moved, before)).toBeGreaterThan(lossAt(after, before));
    }
  });

  it("P15: the slope anywhere is 2(η₁/N) Σ δ(c − z) + 2ρ(c − μ), by differences as well", () => {
    const elsewhere = numbers(normal(k, d, 5));
    const [slope] = evaluate(gradient(loss, [c]), at(elsewhere, before), n);
    const [codes, own] = [numbers(z), numbers(delta)];
    const expected = elsewhere.map((value, i) => {
      const [cluster, column] = [Math.floor(i / d), i % d];
      let pull = 0;
      for (let row = 0; row < n; row++) pull += own[row * k + cluster]! * (value - codes[row * d + column]!);
      return ((2 * eta1) / n) * pull + 2 * rho * (value - before[i]!);
    });
    expectClose(slope!.data, expected, 1e-6);
    expectGradients(loss, [c], at(elsewhere, before), n);
  });

  it("P6: a large ρ holds centers where they are, a small one lets go; the larger a cluster, the less is kept", () => {
    const kept = (value: number) => followCenters(start, total, size, keptShare(size, value, eta1));
    expectClose(numbers(kept(1e6)), before, 1e-5);
    expectClose(numbers(kept(1e-9)), means, 1e-6);
    const [sizes, shares] = [numbers(size), numbers(keptShare(size, rho, eta1))];
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    const bySize = sizes.map((_, j) => j).sort((a, b) => sizes[a]! - sizes[b]!);
    expect(shares[bySize[0]!]).toBeGreaterThan(shares[bySize.at(-1)!]!);
  });

  it("P7: in μ the loss is least at μ = c", () => {
    const [slope] = evaluate(gradient(loss, [mu]), at(after, after), n);
    expect([...slope!.data].every((value) => value === 0)).toBe(true);
    const [elsewhere] = evaluate(gradient(loss, [mu]), at(after, before), n);
    expect(Math.max(...elsewhere!.data.map(Math.abs))).toBeGreaterThan(0.01);
  });

  it("P17: the new centers lower the loss, and μ = c lowers it again, step after step", () => {
    let current = before;
    for (let t = 0; t < 20; t++) {
      const next = numbers(followed(constant(fromNumbers("float32", [k, d], current))));
      // c and μ are the same before each step.
      const [first, second, third] = [lossAt(current, current), lossAt(next, current), lossAt(next, next)];
      expect(second).toBeLessThanOrEqual(first + 1e-9);
      expect(third).toBeLessThanOrEqual(second + 1e-9);
      if (t === 0) expect(first - second).toBeGreaterThan(0.01);
      if (t === 0) expect(second - third).toBeGreaterThan(0.01);
      current = next;
    }
    // It ends at the means of the clusters.
    expectClose(current, means, 0.05);
  });

  it("P4: with the reconstruction in it, which sees c through P3, the new centers are not the least", () => {
    const x = normal(n, d, 9);
    const decoded = divide(add(z, matmul(delta, c)), 2);
    const whole = add(squaredDistance(decoded, x), loss);
    const [slope] = evaluate(gradient(whole, [c]), at(after, before), n);
    expect(Math.max(...slope!.data.map(Math.abs))).toBeGreaterThan(0.01);
  });
});

describe("sizes,", () => {
  const [z, mu] = [normal(24, 2, 4), normal(3, 2, 6)];
  const distances = squaredDistances(z, mu);
  /** The mean of each cluster's own squared distances. */
  const ownMeans = (delta: Node): number[] => {
    const [own, all] = [numbers(delta), numbers(distances)];
    return [0, 1, 2].map((k) => {
      const members = Array.from({ length: 24 }, (_, i) => 3 * i + k).filter((at) => own[at] === 1);
      return members.reduce((total, at) => total + all[at]!, 0) / members.length;
    });
  };

  it("P10 and P11: the clustering loss is the mean of the clusters' own means, weighed by ω", () => {
    const delta = nearest(distances);
    const omega = numbers(relativeSizes(sum(delta, { axes: [0] })));
    const weighed = ownMeans(delta).reduce((total, mean, k) => total + omega[k]! * mean, 0) / 3;
    expect(numbers(withinLoss(delta, distances))[0]).toBeCloseTo(weighed, 8);
    expect(Math.max(...omega)).toBeGreaterThan(1.2);
  });

  it("P12: without ω all clusters count the same", () => {
    const delta = nearest(distances);
    const [loss] = numbers(reweightedLoss(delta, distances, relativeSizes(sum(delta, { axes: [0] }))));
    expect(loss).toBeCloseTo(ownMeans(delta).reduce((a, b) => a + b, 0) / 3, 8);
    expect(Math.abs(loss! - numbers(withinLoss(delta, distances))[0]!)).toBeGreaterThan(0.01);
  });

  it("P12: where all are equal, it is the loss of P9", () => {
    const balanced = constant(
      fromNumbers(
        "float32",
        [24, 3],
        Array.from({ length: 72 }, (_, at) => Number(Math.floor(at / 3) % 3 === at % 3)),
      ),
    );
    const omega = relativeSizes(sum(balanced, { axes: [0] }));
    const rest = { reconstruction: constant(0.5), entropy: constant(0.25) };
    const [imbalanced, plain] = [reweightedLoss(balanced, distances, omega), withinLoss(balanced, distances)].map(
      (clustering) => numbers(jointLoss({ ...rest, clustering }, 0.1, 0.01))[0]!,
    );
    expect(imbalanced).toBeCloseTo(plain!, 10);
  });

  it("P13: come to those of the data, by (1 − κ) of what is left in each step", () => {
    let alpha = vector(8, 8, 8);
    for (let t = 1; t <= 10; t++) {
      alpha = vector(...numbers(followSizes(alpha, vector(20, 4, 0), 0.9)));
      const left = 0.9 ** t;
      expectClose(numbers(alpha), [20 - 12 * left, 4 + 4 * left, 8 * left], 1e-5);
    }
  });

  it.each([0, 1e-5, 5, 1000])(
    "P14: keep their sum and their order when smoothed by %d, and come nearer to each other",
    (epsilon) => {
      const smoothed = numbers(smoothedSizes(vector(20, 4, 0), epsilon));
      expect(smoothed.reduce((a, b) => a + b, 0)).toBeCloseTo(24, 5);
      const [large, middle, small] = smoothed as [number, number, number];
      expect(large).toBeGreaterThan(middle);
      expect(middle).toBeGreaterThan(small);
      if (epsilon === 0) expect(smoothed).toEqual([20, 4, 0]);
      else expect(small).toBeGreaterThan(0);
      if (epsilon === 1000) expect(large - small).toBeLessThan(0.2);
    },
  );
});

describe("in training,", () => {
  const { rows } = blobs(30, { deviation: 0.1 });
  const data = toData(rows);
  const small = { hidden: [8], latent: 3, batch: 30 };
  const begun = async (method: typeof pcx, options: Record<string, unknown>) => {
    const restart = new Restart(
      plan(method, data, { clusters: 3, options: { ...small, ...options } }),
      0,
      data,
      device,
    );
    await restart.begin();
    return restart;
  };
  const centersOf = async (restart: Restart) => [...(await restart.centers()).data];

  it("the burn-in holds ω at 1 and η₂ at 0, and ends when it should", async () => {
    // Sizes that are anything but equal, so that ω could be seen.
    const sizes = fromNumbers("float32", [3], [25, 4, 1]);
    const eta = { eta1: 0.5, eta2: 0.25, burnIn: 2, kappa: 1, rate: 0 };
    const [plain, weighed] = [await begun(pcx, eta), await begun(pcxImbalanced, eta)];
    await weighed.load(new Map([["centers.sizes", sizes]]));
    for (let epoch = 0; epoch < 4; epoch++) {
      const [a, b] = [(await plain.cluster(epoch)).losses, (await weighed.cluster(epoch)).losses];
      expect(a.entropy).toBeGreaterThan(0.01);
      const entropy = epoch < 2 ? 0 : 0.25;
      for (const { loss, reconstruction, clustering, entropy: H } of [a, b]) {
        expect(loss).toBeCloseTo(reconstruction! + 0.5 * clustering! + entropy * H!, 5);
      }
      // Nothing moves here but the sizes: while they do not count, both losses are the same.
      const difference = Math.abs(a.clustering! - b.clustering!) / a.clustering!;
      if (epoch < 2) expect(difference).toBeLessThan(1e-6);
      else expect(difference).toBeGreaterThan(1e-2);
    }
    await plain.close();
    await weighed.close();
  });

  it("P6: an empty cluster stays where it is, with κ and with ρ, while the others move", async () => {
    for (const centers of ["kappa", "rho"]) {
      const restart = await begun(pcx, { centers, rho: 0.01, refill: false });
      const first = (await restart.centers()) as Tensor<"float32">;
      const far = first.data.map((value, at) => (at < 3 ? 50.1 + at : value));
      await restart.load(new Map([["centers", tensor("float32", [3, 3], far)]]));
      for (let epoch = 0; epoch < 5; epoch++) expect((await restart.cluster(epoch)).sizes![0]).toBe(0);
      const now = await centersOf(restart);
      // κμ + (1 − κ)μ may round.
      expectClose(now.slice(0, 3), [...far.slice(0, 3)], 1e-6);
      expect(now.slice(3)).not.toEqual([...far.slice(3)]);
      await restart.close();
    }
  });

  it("P6 and P7: centers are slow: a step takes each (1 − κ) of the way to the mean of its codes", async () => {
    const restart = await begun(pcx, { start: "rows", kappa: 0.9 });
    for (let epoch = 0; epoch < 5; epoch++) {
      const [codes, labels, before] = [await restart.codes(30), await restart.labels(), await centersOf(restart)];
      await restart.cluster(epoch);
      const after = await centersOf(restart);
      for (let j = 0; j < 3; j++) {
        const members = [...labels].flatMap((label, i) => (label === j ? [i] : []));
        for (let c = 0; c < 3; c++) {
          const mean = members.reduce((total, i) => total + codes.data[3 * i + c]!, 0) / Math.max(1, members.length);
          const expected = members.length > 0 ? 0.9 * before[3 * j + c]! + 0.1 * mean : before[3 * j + c]!;
          expect(after[3 * j + c]).toBeCloseTo(expected, 5);
        }
      }
    }
    await restart.close();
  });

  it("P3: ẑ is an output of the model where that is asked for: h(z, z̃), one linear layer on code and own center", async () => {
    const settings = { clusters: 3, method: "pcx", device, ...small, pretraining: 3, epochs: 3, restarts: 1 };
    const model = await fitOn(devices)(rows, { ...settings, fusedOutput: true });
    const [z, fused] = [await model.transform(rows), await model.transform(rows, { output: "fused" })];
    const [weights, mu] = [await model.weights(), (await model.centers()).data];
    const W = weights.get("fusion.weight")!.data as Float32Array;
    const b = weights.get("fusion.bias")!.data as Float32Array;
    model.labels.forEach((own, i) => {
      const pair = [...z.data.subarray(3 * i, 3 * i + 3), ...mu.subarray(3 * own, 3 * own + 3)];
      const expected = [0, 1, 2].map((c) => pair.reduce((sum, value, a) => sum + value * W[3 * a + c]!, b[c]!));
      expectClose([...fused.data.subarray(3 * i, 3 * i + 3)], expected, 1e-5);
    });
    expect(Object.keys(model.program().outputs)).toContain("fused");
    const without = await fitOn(devices)(rows, settings);
    await expect(without.transform(rows, { output: "fused" })).rejects.toThrow(
      'model: there is no output "fused" of numbers; there are distances, probabilities, z',
    );
    expect([...without.labels]).toEqual([...model.labels]);
  });
});
