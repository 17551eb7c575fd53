import { describe, expect, it } from "vitest";
import { toData } from "../../src/data/data.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { constant, input, type Node, type Variable } from "../../src/graph/node.ts";
import { matmul } from "../../src/graph/products.ts";
import {
  entropyLoss,
  followCenters,
  followSizes,
  fused,
  jointLoss,
  keptShare,
  meanLargest,
  ownCenter,
  pcx,
  pcxImbalanced,
  relativeSizes,
  reweightedLoss,
  smoothedSizes,
  softAssignment,
} from "../../src/methods/pcx.ts";
import { nearest } from "../../src/nn/distances.ts";
import { trainingPass } from "../../src/nn/layers.ts";
import { sgd } from "../../src/nn/optimizers.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import type { BatchFormulas } from "../../src/training/method.ts";
import { formulate, plan } from "../../src/training/plan.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { expectGradients } from "../support/differences.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { evaluate, type Value } from "../support/oracle.ts";

const vector = (...values: number[]) => constant(fromNumbers("float32", [values.length], values));

describe("by hand,", () => {
  it("P2: λ is the softmax of −τ times the squared distances, δ its largest", () => {
    const distances = matrix([0.2, 0.4], [3, 1]);
    const lambda = numbers(softAssignment(distances, 5));
    // e⁻¹ and e⁻²: in parts 1/(1 + e⁻¹); in the second row 1/(1 + e⁻¹⁰).
    expectClose(lambda, [0.73105858, 0.26894142, 4.539787e-5, 0.9999546], 1e-7);
    expect(numbers(nearest(distances))).toEqual([1, 0, 0, 1]);
  });

  it("how decided rows are is the mean of their largest λ (Fig. 4)", () => {
    expectClose(numbers(meanLargest(matrix([0.2, 0.8], [0.5, 0.5]))), [0.65], 1e-7);
  });

  it("P3: the decoder gets one linear layer of code and own center side by side", () => {
    expect(numbers(ownCenter(matrix([0, 1], [1, 0]), matrix([1, 2], [3, 4])))).toEqual([3, 4, 1, 2]);
    const weight = matrix([1], [10], [100], [1000]);
    expect(numbers(fused(matrix([1, 2]), matrix([3, 4]), (pair) => matmul(pair, weight)))).toEqual([4321]);
  });

  it("P1 and P9: η₁ and η₂ weigh the clustering loss and the entropy", () => {
    const parts = { reconstruction: constant(0.5), clustering: constant(2), entropy: constant(3) };
    expectClose(numbers(jointLoss(parts, 0.1, 0)), [0.7], 1e-7);
    expectClose(numbers(jointLoss(parts, 0.1, 0.01)), [0.73], 1e-7);
  });

  it("P6 and P7: a center keeps κ of itself and takes the rest from the mean of its codes; without codes it stays", () => {
    // Codes 2, 4 and 6 in the first cluster, 12 in the second, none in the third.
    const [mu, total, size] = [matrix([0], [10], [4]), matrix([12], [12], [0]), vector(3, 1, 0)];
    expectClose(numbers(followCenters(mu, total, size, 0.75)), [1, 10.5, 4], 1e-12);
    // With η₁ = 2 and ρ = 1: κ = 1/(1 + 2·¾), 1/(1 + 2·¼) and 1.
    const kappa = keptShare(size, 1, 2);
    expectClose(numbers(kappa), [0.4, 2 / 3, 1], 1e-12);
    // (ρμ + (η₁/N) Σ z)/(ρ + (η₁/N) n): (0 + ½·12)/2.5 and (10 + ½·12)/1.5.
    expectClose(numbers(followCenters(mu, total, size, kappa)), [2.4, 32 / 3, 4], 1e-12);
  });

  it("P8: the entropy is ln 2 for one half each, and 0 for a sure row", () => {
    expectClose(numbers(entropyLoss(matrix([0.5, 0.5]))), [Math.LN2], 1e-7);
    expectClose(numbers(entropyLoss(matrix([0, 1]))), [0], 1e-7);
    expectClose(numbers(entropyLoss(matrix([0.5, 0.5], [1, 0]))), [Math.LN2 / 2], 1e-7);
  });

  it("P10: relative sizes are sizes by their mean", () => {
    expect(numbers(relativeSizes(vector(1, 3, 2)))).toEqual([0.5, 1.5, 1]);
  });

  it("P12: each row counts 1/ω, so that a cluster of one row counts as much as one of three", () => {
    const delta = matrix([1, 0], [1, 0], [1, 0], [0, 1]);
    const distances = matrix([1, 50], [2, 50], [3, 50], [50, 10]);
    // The mean of 2, the first cluster's own mean, and 10, the second's.
    expectClose(numbers(reweightedLoss(delta, distances, vector(1.5, 0.5))), [6], 1e-7);
  });

  it("P13: sizes follow those of the batch", () => {
    // ¾ of (10, 0) and ¼ of (2, 8).
    expect(numbers(followSizes(vector(10, 0), vector(2, 8), 0.75))).toEqual([8, 2]);
  });

  it("P14: ε makes sizes more equal and keeps their sum", () => {
    // (8 + 5, 2 + 5)·10/(10 + 2·5)
    expect(numbers(smoothedSizes(vector(8, 2), 5))).toEqual([6.5, 3.5]);
  });
});

/** One step of the method in float64, and what it needs. */
function formulated(method: typeof pcx, points: number[][], options: Record<string, unknown>, burning: number) {
  const { network, clustering } = formulate(plan(method, toData(points), { clusters: 3, options }), 0);
  const x = input("x", ["n", points[0]!.length]);
  const learned: Variable[] = [];
  const batch: BatchFormulas = {
    x,
    rows: input("rows", ["n"], "int32"),
    label: input("label", ["n"]),
    pass: trainingPass(),
    learn(loss, parameters) {
      learned.push(...parameters);
      return sgd()(parameters, gradient(loss, parameters), constant(0.5));
    },
    move: () => [],
    scheduled: () => constant(burning),
  };
  const step = clustering.steps.joint!(batch);
  const given = new Map<Node, Value>([
    [x, { shape: [points.length, points[0]!.length], data: Float64Array.from(points.flat()) }],
  ]);
  return { network, clustering, step, given, learned, x };
}

describe("a step of training, by hand:", () => {
  // The codes are the rows: 1, 2 and 3 in the first cluster, 12 in the second, none in the third; their second number
  // is 0.
  const points = [
    [1, 0],
    [2, 0],
    [3, 0],
    [12, 0],
  ];
  const options = {
    network: "none",
    code: "linear",
    batch: 4,
    kappa: 0.75,
    epsilon: 5,
    eta1: 0.5,
    eta2: 0.1,
    tau: 0.01,
  };
  const centers = { shape: [3, 2], data: Float64Array.of(0, 0, 10, 0, -20, 0) };
  const at = (burning: number, method = pcxImbalanced, more = {}) => {
    const { clustering, step, given } = formulated(method, points, { ...options, ...more }, burning);
    given.set(clustering.centers, centers);
    const named = { loss: step.loss, ...step.terms } as Record<string, Node>;
    const values = evaluate(Object.values(named), given, 4).map(({ data }) => data[0]!);
    const updated = Object.fromEntries(
      step.updates.map(([target, next]) => [target.attributes.name, [...evaluate([next], given, 4)[0]!.data]]),
    );
    const losses = Object.fromEntries(Object.keys(named).map((name, i) => [name, values[i]!]));
    return { losses: losses as Record<"loss" | "clustering" | "reconstruction" | "entropy", number>, updated };
  };

  it("P6, P7 and P13: centers and sizes follow the batch, the empty center stays", () => {
    const { updated } = at(1);
    expectClose(updated.centers!, [0.5, 0, 10.5, 0, -20, 0], 1e-6);
    // ¾·4/3 + ¼·(3, 1, 0); smoothed only where they weigh the loss, or ε would wear their differences away.
    expectClose(updated["centers.sizes"]!, [1.75, 1.25, 1], 1e-6);
  });

  it("P6: with ρ, each center has its own κ", () => {
    // The loss is per element of the code, so that η₁ = ½ is ¼ per row: κ = 1/(1 + ¼·¾) and 1/(1 + ¼·¼) for ρ = 1; the
    // means are 2 and 12.
    const { updated } = at(1, pcx, { centers: "rho" });
    expectClose(updated.centers!, [2 * (1 - 1 / 1.1875), 0, 12 - 2 / 1.0625, 0, -20, 0], 1e-6);
  });

  it("P9: the loss is that of codes halfway to their centers, with the distances per element of the code", () => {
    const { losses } = at(0, pcx);
    // Squared distances 1, 4, 9 and 4; at first what is decoded is the middle of code and center, half as far.
    expectClose([losses.reconstruction], [18 / 4 / 8], 1e-7);
    expectClose([losses.clustering], [18 / 8], 1e-7);
    const entropies = [1, 2, 3, 12].map((z) => {
      const weights = [z ** 2, (z - 10) ** 2, (z + 20) ** 2].map((distance) => Math.exp(-0.01 * distance));
      const total = weights.reduce((a, b) => a + b, 0);
      return -weights.reduce((sum, weight) => sum + (weight / total) * Math.log(weight / total), 0);
    });
    const entropy = entropies.reduce((a, b) => a + b, 0) / 4;
    expectClose([losses.entropy], [entropy], 1e-6);
    expectClose([losses.loss], [18 / 32 + (0.5 * 18) / 8 + 0.1 * entropy], 1e-6);
  });

  it("P12: sizes weigh the clusters once the burn-in is over; before, all weigh the same and the entropy nothing", () => {
    const [burning, over] = [at(1).losses, at(0).losses];
    expectClose([burning.clustering], [18 / 8], 1e-7);
    expectClose([burning.loss], [burning.reconstruction + 0.5 * burning.clustering], 1e-7);
    // ω = 3·(6.75, 6.25, 6)/19
    const weighed = (14 / ((3 * 6.75) / 19) + 4 / ((3 * 6.25) / 19)) / 8;
    expectClose([over.clustering], [weighed], 1e-6);
    expectClose([over.loss], [over.reconstruction + 0.5 * over.clustering + 0.1 * over.entropy], 1e-6);
    expect(over.entropy).toBeGreaterThan(0.1);
  });

  it("the burn-in lasts the first 250 epochs of the paper", () => {
    const { clustering } = formulate(plan(pcx, toData(points), { clusters: 3, profile: "paper" }), 0);
    expect([0, 249, 250, 999].map((epoch) => clustering.schedule!(epoch, 1000).burning)).toEqual([1, 1, 0, 0]);
  });

  it("a stream moves centers by its rate", () => {
    const { clustering } = formulated(pcx, points, options, 1);
    const codes = constant(fromNumbers("float32", [4, 2], points.flat()));
    const { updates } = clustering.follow(codes, constant(0.25));
    const [next] = evaluate([updates[0]![1]], new Map([[clustering.centers, centers]]), 4);
    expectClose(next!.data, [0.5, 0, 10.5, 0, -20, 0], 1e-12);
  });
});

describe("with a network,", () => {
  const points = Array.from({ length: 8 }, (_, i) => [...blobs(8).rows.data.slice(4 * i, 4 * i + 4)]);
  const options = { hidden: [3], activation: "tanh", latent: 2, output: "linear", eta1: 0.3, eta2: 0.2, batch: 8 };

  it("P5: the optimizer moves network and CI-Unit alone, against the loss's gradient; no center", () => {
    // A straight gradient is none of a formula, so that differences could not find it.
    const { network, clustering, step, given, learned } = formulated(pcx, points, { ...options, straight: false }, 0);
    expect(learned.map(({ attributes }) => attributes.name)).toEqual([
      ...network.parameters.map(({ attributes }) => attributes.name),
      "fusion.weight",
      "fusion.bias",
    ]);
    for (const parameter of learned) given.set(parameter, evaluate([parameter], new Map(), 8)[0]!);
    expectGradients(step.loss, learned, given, 8, { most: 4 });
    const slopes = evaluate(gradient(step.loss, learned), given, 8);
    learned.forEach((parameter, t) => {
      const next = step.updates.find(([target]) => target === parameter)![1];
      const expected = given.get(parameter)!.data.map((value, i) => value - 0.5 * slopes[t]!.data[i]!);
      expectClose(evaluate([next], given, 8)[0]!.data, expected, 1e-12);
    });
    // Nothing in the loss has a gradient for the centers, so that they could not be moved by it.
    const [none] = evaluate(gradient(step.loss, [clustering.centers]), given, 8);
    expect([...none!.data].every((slope) => slope === 0)).toBe(true);
  });

  it("P6: in Algorithm 1 centers follow the codes that the new network gives, of the rows they had before", () => {
    const moved = (follows: string) => {
      const { network, clustering, step, given } = formulated(pcx, points, { ...options, follows, kappa: 0 }, 0);
      const next = step.updates.find(([target]) => target === clustering.centers)![1];
      const after = new Map(given);
      for (const [target, value] of step.updates) {
        if (network.parameters.includes(target)) after.set(target, evaluate([value], given, 8)[0]!);
      }
      const [delta] = evaluate([nearest(clustering.distances(step.z))], given, 8);
      const [z] = evaluate([step.z], follows === "after" ? after : given, 8);
      return { centers: evaluate([next], given, 8)[0]!.data, delta: delta!.data, z: z!.data };
    };
    for (const follows of ["before", "after"]) {
      const { centers, delta, z } = moved(follows);
      for (let k = 0; k < 3; k++) {
        const own = [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => delta[3 * i + k] === 1);
        if (own.length === 0) continue;
        for (const c of [0, 1]) {
          const mean = own.reduce((sum, i) => sum + z[2 * i + c]! / own.length, 0);
          expect(centers[2 * k + c]).toBeCloseTo(mean, 6);
        }
      }
    }
    expect([...moved("after").centers]).not.toEqual([...moved("before").centers]);
  });

  it("P5: PC-X-Fix moves no center at all", () => {
    const { clustering, step } = formulated(pcx, points, { ...options, centers: "fixed" }, 0);
    expect(step.updates.map(([target]) => target)).not.toContain(clustering.centers);
  });

  it("P8: the entropy's gradient reaches the network and not the centers", () => {
    const { network, clustering, step, given } = formulated(pcx, points, options, 0);
    const targets = [clustering.centers, network.parameters[0]!];
    const [ofCenters, ofWeights] = evaluate(gradient(step.terms!.entropy!, targets), given, 8);
    expect([...ofCenters!.data].every((slope) => slope === 0)).toBe(true);
    expect(Math.max(...ofWeights!.data.map(Math.abs))).toBeGreaterThan(1e-4);
  });

  it("the straight gradient changes no loss, but gives the code the center's part of the reconstruction", () => {
    const [straight, bent] = [true, false].map((way) => {
      const { network, step, given } = formulated(pcx, points, { ...options, straight: way }, 0);
      const [loss, slope] = evaluate(
        [step.loss, ...gradient(step.terms!.reconstruction!, [network.parameters[0]!])],
        given,
        8,
      );
      return { loss: loss!.data[0]!, slope: slope!.data };
    });
    expect(straight!.loss).toBeCloseTo(bent!.loss, 12);
    // What is decoded is z/2 + z̃/2: with z̃ standing in for z, twice the gradient.
    expectClose(
      straight!.slope,
      bent!.slope.map((value) => 2 * value),
      1e-9,
    );
    expect(Math.max(...bent!.slope.map(Math.abs))).toBeGreaterThan(1e-4);
  });

  it("P3: a center is shown as h(μ, μ); without the CI-Unit, as itself", () => {
    const mu = matrix([1, 2]);
    const shown = (more: object) => {
      const { clustering, learned } = formulated(pcx, points, { ...options, ...more }, 0);
      const weight = learned.find(({ attributes }) => attributes.name === "fusion.weight")!;
      return { weight: numbers(weight), decoded: numbers(clustering.exemplar!(mu)) };
    };
    // After pretraining h is the middle of the two.
    expect(shown({}).decoded).toEqual([1, 2]);
    expect(shown({ pretraining: 0, fuse: false }).decoded).toEqual([1, 2]);
    const { weight: w, decoded } = shown({ pretraining: 0 });
    // Weights [4, 2], and (1, 2, 1, 2) before them.
    const by = (c: number) => w[c]! + 2 * w[2 + c]! + w[4 + c]! + 2 * w[6 + c]!;
    expectClose(decoded, [by(0), by(1)], 1e-7);
    expect(Math.abs(decoded[0]! - 1)).toBeGreaterThan(1e-3);
  });
});
